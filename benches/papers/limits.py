#!/usr/bin/env python3
"""`tenet abstract` on the published experiments of models/papers, beside the published figures.

    python3 benches/papers/limits.py [--only NAME ...] [--rounds N] [--timeout SECONDS]

Prints one table: the published number of predicates and time, then the verdict, predicates, productive iterations,
abstract states, solver calls, seconds, how many times faster that is than published, and the peak of memory. Substitutions
are generated, nothing but the model is given. The best of N rounds counts, as the machine may be busy with other things.
Exit code 1 if anything is not proved, or takes longer than the limit in the table below or more than 500 MB.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# What is published: S. K. Lahiri, R. E. Bryant 2004 (2.1 GHz, 1 GB) and S. Das, D. L. Dill, S. Park 1999 (machine not
# given). A dash is for what the papers do not say.
# model, published predicates, published iterations, published seconds, limit of ours in seconds
PAPERS = [
    ("f_shift", "2", "1", None, 1),
    ("mutex", "3", "-", None, 1),
    ("german", "17", "9", 85, 1),
    ("german_fifo", "29", "19", 263 * 60, 20),
    ("ooo", "-", "-", None, 5),
    ("ooo_two_operands", "-", "-", None, 30),
    ("bakery", "-", "-", None, 3),
    ("bakery_nonatomic", "-", "-", None, 30),
    ("selection_sort", "-", "-", None, 1),
    ("flash", "-", "-", 2 * 3600, 30),
    ("gc", "-", "-", 3 * 3600, 60),
    ("gc_axiom1", "-", "-", None, 1),
    ("gc_axiom2", "-", "-", None, 1),
    ("gc_axiom3", "-", "-", None, 1),
    ("gc_axiom4", "-", "-", None, 1),
    ("gc_axiom5", "-", "-", None, 1),
]
MEMORY_LIMIT = 500  # MB

COLUMNS = "{:17} {:>9} {:>9} {:>8}  {:8} {:>5} {:>5} {:>7} {:>8} {:>8} {:>9} {:>6}"


def published(seconds):
    """A time as the papers give it."""
    if seconds is None:
        return "-"
    if seconds < 600:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds % 3600 else f"{seconds // 3600} h"


def run(tenet, model, timeout):
    """The JSON object of one run, or None if it took too long."""
    command = [tenet, "abstract", ROOT / "models" / "papers" / f"{model}.tenet", "--json"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{model}: exit code {done.returncode}, and no JSON object")


def best(tenet, model, rounds, timeout):
    """The fastest of several runs."""
    results = [run(tenet, model, timeout) for _ in range(rounds)]
    results = [result for result in results if result]
    return min(results, key=lambda result: result["statistics"]["seconds"], default=None)


def of_properties(result, field):
    """The largest value of a field: properties that were proved together all have the same."""
    values = [entry[field] for entry in result["properties"] if entry.get(field) is not None]
    return max(values, default="-")


def row(tenet, entry, arguments):
    """Prints the line of one model; whether it is as it should be."""
    model, predicates, iterations, seconds, limit = entry
    result = best(tenet, model, arguments.rounds, arguments.timeout)
    told = [model, predicates, iterations, published(seconds)]
    if result is None:
        print(COLUMNS.format(*told, "time out", *["-"] * 7))
        return False
    statistics = result["statistics"]
    ours, memory = statistics["seconds"], statistics["peak_memory_mb"]
    ratio = f"{seconds / max(ours, 0.001):,.0f}" if seconds else "-"
    counts = [of_properties(result, field) for field in ("predicates", "iterations", "abstract_states")]
    rest = [statistics["smt_calls"], f"{ours:.2f}", ratio, f"{memory:.0f}"]
    print(COLUMNS.format(*told, result["verdict"], *counts, *rest), flush=True)
    return result["verdict"] == "safe" and ours <= limit and memory <= MEMORY_LIMIT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these models")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run")
    arguments = parser.parse_args()
    unknown = set(arguments.only or []) - {entry[0] for entry in PAPERS}
    if unknown:
        parser.error(f"no such model: {', '.join(sorted(unknown))}")

    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    tenet = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tenet"

    print(COLUMNS.format("", "published", "", "", "ours", *[""] * 7).rstrip())
    ours = ["verdict", "preds", "iter", "states", "calls", "seconds", "x faster", "MB"]
    print(COLUMNS.format("model", "preds", "iter", "time", *ours))
    entries = [entry for entry in PAPERS if not arguments.only or entry[0] in arguments.only]
    good = [row(tenet, entry, arguments) for entry in entries]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
