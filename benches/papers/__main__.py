"""Repeats every published experiment of the five papers.

    python3 benches/papers [--page NAME ...] [--timeout SECONDS] [--jobs N] [--tenet PROGRAM] [--no-update]

Runs the commands of benches/papers/tables.py, writes one self-contained page with all tables and drawings into
target/papers/index.html, and updates the tables in docs/papers. A page that is not there is left out with a note. Exit code 1 if a
figure differs that the paper gives in words, or if a command fails.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(ROOT / "benches")]
sys.dont_write_bytecode = True

import drawings  # noqa: E402, beside this file
import page  # noqa: E402
import peers  # noqa: E402
import tables  # noqa: E402

PAGES = {
    "lahiri-bryant": "Lahiri, Bryant: Constructing quantified invariants via predicate abstraction (VMCAI 2004)",
    "das-dill-park": "Das, Dill, Park: Experience with predicate abstraction (CAV 1999)",
    "jaffar-santosa": "Jaffar, Santosa: Recursive abstractions for parameterized systems (FM 2009)",
    "clarke": "Clarke, Grumberg, Talupur, Wang: High level verification of control intensive systems (MEMOCODE 2003)",
    "ball-podelski-rajamani": "Ball, Podelski, Rajamani: Relative completeness of abstraction refinement (TACAS 2002)",
}
# The sets of these grow over enough iterations to be drawn.
GROWN = ("german", "german_fifo", "bakery", "selection_sort", "ooo")
# Programs whose computation trees are drawn.
TREES = ("counting_ones", "bakery_atomic")


class Runner:
    """Runs each command once, some of them at the same time."""

    def __init__(self, tenet, timeout, jobs):
        self.tenet, self.timeout, self.answers = tenet, timeout, {}
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)

    def start(self, command):
        if command not in self.answers:
            self.answers[command] = self.pool.submit(self.run, command)
        return self.answers[command]

    def run(self, command):
        """What it prints, with its CPU seconds: other work on the machine counts as little as possible."""
        program = {"tenet": str(self.tenet), "python3": sys.executable}[command[0]]
        texts = []
        found = peers.run([program, *command[1:]], self.timeout, lambda _code, text: texts.append(text))
        if not texts:
            return None
        print(f"  done: {' '.join(command)}", file=sys.stderr, flush=True)
        try:
            return {**json.loads(texts[0]), "cpu": found.cpu}
        except json.JSONDecodeError:
            return {"text": texts[0], "verdict": None, "properties": [], "statistics": {}, "cpu": found.cpu}

    def value(self, row):
        answer = self.start(row.command).result()
        try:
            return None if answer is None else row.read(answer)
        except (KeyError, IndexError, TypeError, StopIteration):
            return None


def drawn(name, runner):
    """The drawings of a paper."""
    if name == "lahiri-bryant":
        series = [(model, grown(runner.start(tables.strict(model)).result())) for model in GROWN]
        return [(drawings.growth(series), "Abstract states after each productive iteration, with the substitutions of the models' headers.")]
    if name == "clarke":
        return old_against_new(runner)
    if name == "jaffar-santosa":
        return [(tree, f"The computation tree of {program}.clp") for program in TREES for tree in trees(program, runner)]
    return []


def grown(answer):
    return [entry["states"] for entry in answer.get("reached", {}).get("sets", [])] if answer else []


def old_against_new(runner):
    rows, groups = [], []
    for name in tables.CLARKE_PFIR:
        pair = [runner.start(tables.filter_in_mode(name, switch, switch)).result() for switch in ("off", "on")]
        rows.append((name, *(answer and tables.times_of(answer) for answer in pair)))
        for entry in (pair[1] or {}).get("hybrid", [])[:1]:
            groups.append((name, entry["clusters"]))
    drawn = [(drawings.bars(rows), "CPU seconds on our filter, without and with clusters and branch conditions.")]
    if groups:
        name, found = max(groups, key=lambda one: len(one[1]))
        drawn.append((drawings.clusters(found), f"The clusters of predicates of {name}."))
    return drawn


def trees(program, runner):
    """The computation tree as the report of the program draws it."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.html"
        runner.run(("tenet", "prove", f"models/recursive/{program}.clp", "--report", str(report), "-q", "--timeout", "60"))
        return drawings.pictures(report.read_text(encoding="utf-8")) if report.exists() else []


def update(name, values):
    """Puts the tables into their page."""
    document = ROOT / "docs" / "papers" / f"{name}.md"
    if not document.exists():
        print(f"docs/papers/{name}.md is not there; its tables are only on the page", file=sys.stderr)
        return
    text = document.read_text(encoding="utf-8")

    def fill(found):
        known = values.get(found.group(2))
        return found.group(0) if known is None else f"{found.group(1)}{known}\n{found.group(4)}"

    document.write_text(tables.MARKED.sub(fill, text), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", nargs="+", choices=PAGES, default=list(PAGES), help="only these papers")
    parser.add_argument("--timeout", type=float, default=150, help="seconds for one command [default: 150]")
    parser.add_argument("--jobs", type=int, default=2, help="commands at the same time [default: 2]")
    parser.add_argument("--tenet", help="the program [default: build it]")
    parser.add_argument("--no-update", action="store_true", help="leave docs/papers as it is")
    arguments = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    arguments.tenet = pathlib.Path(peers.built(arguments.tenet)).resolve()
    os.chdir(ROOT)  # commands name models from here
    runner = Runner(arguments.tenet, arguments.timeout, arguments.jobs)
    for name in arguments.page:
        for table in tables.of_page(name).values():
            for row in table.rows:
                runner.start(row.command)
    sections, differing = [], []
    for name in arguments.page:
        filled = []
        for table in tables.of_page(name).values():
            values = [runner.value(row) for row in table.rows]
            filled.append((table, values))
            print(f"{table.title}\n{tables.markdown(table, values)}\n", flush=True)
            differing += [row.what for row, value in zip(table.rows, values) if tables.ratio(row, value) == "differs"]
        sections.append((PAGES[name], filled, drawn(name, runner)))
        if not arguments.no_update:
            update(name, {table.name: tables.markdown(table, values) for table, values in filled})
    version = subprocess.run([str(arguments.tenet), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    out = target / "papers" / "index.html"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page.page(version, sections), encoding="utf-8")
    print(f"written: {out}")
    for what in differing:
        print(f"differs from what is published: {what}", file=sys.stderr)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
