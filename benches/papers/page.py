"""One self-contained page with all tables and drawings."""

import html

import tables

STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; margin: .6rem 0 1.6rem; }
td, th { border-bottom: 1px solid #8884; padding: .2rem .7rem; text-align: left; }
td:nth-last-child(-n+3), th:nth-last-child(-n+3) { text-align: right; }
figure { margin: 1rem 0; overflow-x: auto; }
figcaption { font-size: 13px; opacity: .75; }
code { font-size: 12px; }
svg .node rect, svg.tree rect { fill: #fff2; stroke: currentColor; }
svg.tree line, svg.tree path { stroke: currentColor; fill: none; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } }
"""


def row(cells, tag):
    return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"


def table(entry, values):
    """A table, with the command of each row as a tooltip of its last figure."""
    lines = [row(entry.header, "th")]
    for one, value in zip(entry.rows, values):
        command = html.escape(" ".join(one.command))
        lines.append(row(tables.cells(one, value), "td").replace("<tr>", f'<tr title="{command}">', 1))
    return f"<h3>{html.escape(entry.title)}</h3>\n<table>\n" + "\n".join(lines) + "\n</table>\n"


def figure(drawing, caption):
    return f"<figure>{drawing}<figcaption>{html.escape(caption)}</figcaption></figure>\n"


def page(version, sections):
    """Sections are a title, tables with their values, and drawings with their captions."""
    parts = []
    for title, entries, drawn in sections:
        parts.append(f"<h2>{html.escape(title)}</h2>\n")
        parts.extend(table(entry, values) for entry, values in entries)
        parts.extend(figure(drawing, caption) for drawing, caption in drawn)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>The papers, repeated</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<h1>The papers, repeated</h1>\n"
        f"<p>{html.escape(version)}. Every row is one command; it shows when the pointer rests on the row.</p>\n"
        + "".join(parts)
        + "</body>\n</html>\n"
    )
