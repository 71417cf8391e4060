"""Pictures of the page as SVG: growth of reachable sets, old against new, clusters of predicates, and trees from reports."""

import html
import math
import re

COLOURS = ("#3566a8", "#b5532a", "#3b7d4f", "#7a4fa0", "#8a6d1b", "#555555")
WIDTH, HEIGHT, MARGIN = 640, 300, 46


def text(x, y, words, anchor="start", colour="currentColor"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}">{html.escape(str(words))}</text>'


def svg(width, height, parts, title):
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" font-family="sans-serif" font-size="12">'
        f"<title>{html.escape(title)}</title>{''.join(parts)}</svg>"
    )


def growth(series):
    """The sizes of sets after each iteration: a line for each model, on a logarithmic scale."""
    series = [(name, sizes) for name, sizes in series if sizes]
    longest = max(len(sizes) for _, sizes in series)
    largest = max(max(sizes) for _, sizes in series)
    top = math.ceil(math.log10(max(largest, 10)))

    def place(iteration, size):
        x = MARGIN + iteration * (WIDTH - 200) / max(longest - 1, 1)
        return x, HEIGHT - MARGIN - math.log10(max(size, 1)) * (HEIGHT - 2 * MARGIN) / top

    parts = []
    for power in range(top + 1):
        x, y = place(0, 10**power)
        parts.append(f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{WIDTH - 154}" y2="{y:.0f}" stroke="#8884"/>')
        parts.append(text(x - 6, y + 4, f"{10**power:,}", "end"))
    for number, (name, sizes) in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        points = [place(iteration, size) for iteration, size in enumerate(sizes)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in points)
        parts.append(text(WIDTH - 146, MARGIN + 16 * number, name, colour=colour))
    parts.append(text(MARGIN, HEIGHT - 14, f"iterations 0 to {longest - 1}; abstract states, logarithmic"))
    return svg(WIDTH, HEIGHT, parts, "Growth of reachable sets")


def bars(rows):
    """Pairs of seconds, without and with a method, on a logarithmic scale; `None` is what did not end."""
    height = 34 * len(rows) + 40
    values = [value for _, *pair in rows for value in pair if value]
    low, high = math.log10(max(min(values, default=0.1), 0.01)), math.log10(max(values, default=1))

    def length(value):
        return 12 + 420 * (math.log10(max(value, 0.01)) - low) / max(high - low, 0.1)

    parts = []
    for number, (name, old, new) in enumerate(rows):
        y = 12 + 34 * number
        parts.append(text(82, y + 16, name, "end"))
        for offset, value, colour in ((0, old, COLOURS[1]), (13, new, COLOURS[0])):
            if value is None:
                parts.append(text(92, y + offset + 10, "did not end", colour=colour))
                continue
            parts.append(f'<rect x="90" y="{y + offset}" width="{length(value):.0f}" height="11" fill="{colour}"/>')
            parts.append(text(96 + length(value), y + offset + 10, f"{value:,.2f} s"))
    parts.append(text(90, height - 12, "without", colour=COLOURS[1]) + text(150, height - 12, "with the method", colour=COLOURS[0]))
    return svg(WIDTH, height, parts, "Seconds without and with the method")


def clusters(groups):
    """Predicates in the boxes of their clusters."""
    parts, y = [], 10
    for number, group in enumerate(groups):
        tall = 20 + 17 * len(group)
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<rect x="8" y="{y}" width="{WIDTH - 16}" height="{tall}" rx="8" fill="none" stroke="{colour}"/>')
        parts.extend(text(20, y + 20 + 17 * line, predicate) for line, predicate in enumerate(group))
        y += tall + 10
    return svg(WIDTH, y, parts, "Clusters of predicates")


def pictures(report):
    """The pictures in a report that `tenet --report` wrote, with markers whose names stay apart on one page."""
    found = re.findall(r"<svg.*?</svg>", report, re.DOTALL)
    return [picture.replace("<svg ", '<svg class="tree" ', 1) for picture in found]
