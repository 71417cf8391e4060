#!/usr/bin/env python3
"""`tenet prove` on the constraint logic programs of models/recursive: time and memory of every entailment and every tree.

    python3 benches/recursive.py [--only NAME ...] [--rounds N] [--timeout SECONDS]

Prints one table: the program, the entailment or property, the verdict, the expected one, and seconds; for each program
also how long all of it took, with lemmas, checks and confirmations, and the peak of memory. The best of N rounds counts,
as the machine may be busy with other things. Exit code 1 if a verdict is not the expected one, an entailment takes more than
5 s, the tree of the process more than 30 s, or a program more than 500 MB. The comments at the top of a program say what is
false in it (`% False: "name", …`). In programs called `false_…` that has to be refuted, in others it may stay open.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENTAILMENT_LIMIT = 5  # s
TREE_LIMIT = 30  # s
MEMORY_LIMIT = 500  # MB
COLUMNS = "{:24} {:36} {:8} {:8} {:>8} {:>7}"


def said_to_be_false(text):
    """The names of what a program says to be false."""
    lines = re.findall(r"^% False: (.*)$", text, re.MULTILINE)
    return {name for line in lines for name in re.findall(r'"([^"]*)"', line)}


def run(tenet, program, timeout):
    """The JSON object of one run."""
    command = [tenet, "prove", program, "--json", "--timeout", str(timeout)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout)


def best_of(tenet, program, timeout, rounds):
    """The fastest of several runs."""
    reports = [run(tenet, program, timeout) for _ in range(rounds)]
    return min(reports, key=lambda report: report["statistics"]["seconds"])


def is_fine(program, item, wanted, limit):
    """Is the verdict the expected one, in time? What may stay open uses all the time that it gets."""
    if item["verdict"] == "unknown" and wanted == "unsafe":
        return not program.stem.startswith("false_")
    return item["verdict"] == wanted and item["seconds"] <= limit


def show(program, report):
    """Prints the rows of one program; how many of them are not as they should be."""
    text = program.read_text(encoding="utf-8")
    wrong = said_to_be_false(text)
    trees = set(re.findall(r'^property "([^"]*)"', text, re.MULTILINE))
    failures = 0
    for item in report["properties"]:
        wanted = "unsafe" if item["name"] in wrong else "safe"
        limit = TREE_LIMIT if item["name"] in trees else ENTAILMENT_LIMIT
        fine = is_fine(program, item, wanted, limit)
        failures += not fine
        mark = "" if fine else "  <--"
        row = [program.stem, item["name"], item["verdict"], wanted, f"{item['seconds']:.2f}", ""]
        print(COLUMNS.format(*row) + mark)
    statistics = report["statistics"]
    memory = statistics["peak_memory_mb"]
    failures += memory > MEMORY_LIMIT
    mark = "  <--" if memory > MEMORY_LIMIT else ""
    row = [program.stem, "all of it", "", "", f"{statistics['seconds']:.2f}", f"{memory:.0f}"]
    print(COLUMNS.format(*row) + mark)
    return failures


def main():
    """Runs the programs and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], help="only these programs, without `.clp`")
    parser.add_argument("--rounds", type=int, default=1, help="how often each program is run")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for each program")
    arguments = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    tenet = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tenet"
    print(COLUMNS.format("program", "what", "verdict", "expected", "seconds", "MB"))
    failures = 0
    for program in sorted((ROOT / "models" / "recursive").glob("*.clp")):
        if not arguments.only or program.stem in arguments.only:
            failures += show(program, best_of(tenet, program, arguments.timeout, arguments.rounds))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
