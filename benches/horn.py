#!/usr/bin/env python3
"""`tenet prove` on Horn clauses, beside Z3's Spacer.

    python3 benches/horn.py FOLDER [--only NAME ...] [--timeout SECONDS] [--runs N] [--z3 PROGRAM]
                            [--record FILE | --recorded FILE] [--tenet PROGRAM]

FOLDER holds `.smt2` files. If it has an `expected.tsv` (a heading, then the columns file and verdict: safe, unsafe or unknown;
further columns are not looked at), the files that are named there are taken, else all below the folder. Spacer is the z3 program
that `make setup` provides; with --record its answers are written to a file, and with --recorded they are read from there instead,
as it is always the same ones.

Both get the same files, one after the other, with the same limit. Prints for each file the verdicts and the CPU seconds (user and
system, with start-up; for `tenet` also the check of the certificate), and at the end how many files each of them decides, how many only
one, and the geometric mean of the ratios over the files that both decide. The best of N runs counts, as the machine may be busy
with other things. Exit code 1 if a verdict is wrong or contradicts the other one, or a run fails; 2 if a table cannot be read.
"""

import argparse
import collections
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches"))
sys.dont_write_bytecode = True

import peers  # noqa: E402, the script beside this one

DECIDED = ("safe", "unsafe")
REFUSED = 3  # what `tenet` ends with if it does not support the clauses
# A file, and what is known about it (or None).
Task = collections.namedtuple("Task", "name expected")
# What both found.
Result = collections.namedtuple("Result", "task ours spacer")

COLUMNS = "{:44} {:9} {:9} {:9} {:>8} {:>9} {:>7}  {}"
QUERY = re.compile(r"^\s*\(query\b", re.MULTILINE)


def read_expected(lines):
    """The tasks of a table of verdicts."""
    rows = [row for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if row]
    if not rows or rows[0][:2] != ["file", "verdict"]:
        raise peers.TableError("the first columns are not `file`, `verdict`")
    for row in rows[1:]:
        if len(row) < 2 or row[1] not in (*DECIDED, "unknown"):
            raise peers.TableError(f"{row[0]}: there is no verdict")
    return [Task(row[0], row[1] if row[1] in DECIDED else None) for row in rows[1:]]


def read_recorded(lines):
    """What Spacer answered once: verdict and seconds of each file."""
    rows = [row for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if row]
    try:
        if not rows or rows[0][:3] != ["file", "verdict", "seconds"]:
            raise ValueError
        return {row[0]: peers.Run(row[1], float(row[2]), float(row[2]), 0.0) for row in rows[1:]}
    except (IndexError, ValueError):
        raise peers.TableError("the columns are not `file`, `verdict`, `seconds`") from None


def tasks_of(folder):
    """What there is to prove in a folder."""
    table = folder / "expected.tsv"
    if table.exists():
        with open(table, encoding="utf-8", newline="") as file:
            return read_expected(file)
    return [Task(str(path.relative_to(folder)), None) for path in sorted(folder.rglob("*.smt2"))]


def our_verdict(code, _text):
    return "refused" if code == REFUSED else peers.VERDICTS.get(code, f"exit {code}")


def spacer_verdict(clauses, code, text):
    """Z3 says whether clauses have a solution (`check-sat`), or whether an error can be reached (`query`)."""
    answers = {"sat": "safe", "unsat": "unsafe"}
    if QUERY.search(clauses):
        answers = {"sat": "unsafe", "unsat": "safe"}
    for word in text.split("\n"):
        if word in answers:
            return answers[word]
        if word in ("unknown", "timeout"):
            return "unknown"
    return f"exit {code}"


def judge(result):
    """What stands behind the line of a file; capitals are for what must not be."""
    ours, spacer, expected = result.ours.verdict, result.spacer.verdict, result.task.expected
    words = []
    if ours in DECIDED and expected not in (None, ours):
        words.append("WRONG")
    elif ours in DECIDED and spacer in DECIDED and ours != spacer:
        words.append("DIFFERENT")
    if ours.startswith("exit"):
        words.append("FAILED")
    if spacer in DECIDED and expected not in (None, spacer):
        words.append("Spacer is wrong")
    if ours in DECIDED and spacer not in DECIDED:
        words.append("only tenet")
    if spacer in DECIDED and ours not in DECIDED:
        words.append("only Spacer")
    return ", ".join(words)


def ratio(result):
    """How our CPU time compares with Spacer's; neither is less than a clock tick."""
    both = result.ours.verdict in DECIDED and result.spacer.verdict in DECIDED
    return max(result.ours.cpu, 0.01) / max(result.spacer.cpu, 0.01) if both else None


def line(result):
    verdicts = [result.task.expected or "-", result.ours.verdict, result.spacer.verdict]
    seconds = [peers.show(result.ours.cpu, 2), peers.show(result.spacer.cpu, 2), peers.show(ratio(result), 2)]
    return COLUMNS.format(result.task.name, *verdicts, *seconds, judge(result)).rstrip()


def decided(results, who):
    """How many files one of both decides, and how."""
    found = collections.Counter(getattr(result, who).verdict for result in results)
    return f"{found['safe'] + found['unsafe']} ({found['safe']} safe, {found['unsafe']} unsafe)"


def summary(results):
    """The last lines."""
    judged = collections.Counter(word for result in results for word in judge(result).split(", "))
    refused = sum(result.ours.verdict == "refused" for result in results)
    lines = [
        f"{len(results)} files: tenet decides {decided(results, 'ours')}, Spacer {decided(results, 'spacer')}; "
        f"only tenet {judged['only tenet']}, only Spacer {judged['only Spacer']}; "
        f"{refused} refused, {judged['FAILED']} failed, {judged['WRONG']} wrong verdicts, {judged['DIFFERENT']} different ones"
    ]
    ratios = [found for found in map(ratio, results) if found is not None]
    if ratios:
        over = f"over the {len(ratios)} files that both decide"
        lines.append(f"geometric mean of our CPU time / Spacer's, {over}: {peers.geometric_mean(ratios):.2f}")
    lines += [f"*** WRONG VERDICT: {line(result)}" for result in results if {"WRONG", "DIFFERENT"} & set(judge(result).split(", "))]
    return "\n".join(lines)


def ask_spacer(path, arguments):
    clauses = path.read_text(encoding="utf-8", errors="replace")
    command = [arguments.z3, f"-T:{max(1, round(arguments.timeout))}", path]
    runs = [
        peers.run(command, arguments.timeout + 1, lambda code, text: spacer_verdict(clauses, code, text)) for _ in range(arguments.runs)
    ]
    return min(runs, key=lambda found: found.cpu)


def ask_tenet(path, arguments):
    command = [arguments.tenet, "prove", path, "--timeout", f"{arguments.timeout:g}"]
    runs = [peers.run(command, arguments.timeout + 1, our_verdict) for _ in range(arguments.runs)]
    return min(runs, key=lambda found: found.cpu)


def prove_all(tasks, recorded, arguments):
    """Prints the table; all results."""
    print(COLUMNS.format("file", "expected", "tenet", "Spacer", "CPU s", "Spacer s", "ratio", "").rstrip())
    results = []
    for task in tasks:
        path = arguments.folder / task.name
        spacer = recorded.get(task.name) or ask_spacer(path, arguments)
        results.append(Result(task, ask_tenet(path, arguments), spacer))
        print(line(results[-1]), flush=True)
    print(summary(results), flush=True)
    return results


def record(results, file):
    rows = [f"{result.task.name}\t{result.spacer.verdict}\t{result.spacer.cpu:.2f}\n" for result in results]
    file.write_text("file\tverdict\tseconds\n" + "".join(rows), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="`.smt2` files, perhaps with an expected.tsv")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these files")
    parser.add_argument("--timeout", type=float, default=20, help="seconds for one run [default: 20]")
    parser.add_argument("--runs", type=int, default=1, help="how often each file is proved [default: 1]")
    parser.add_argument("--z3", default=str(ROOT / ".deps" / "solvers" / "z3"), metavar="PROGRAM", help="the z3 program")
    parser.add_argument("--tenet", metavar="PROGRAM", help="the program to measure [default: build it]")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write what Spacer answers")
    parser.add_argument("--recorded", type=Path, metavar="FILE", help="read what Spacer answered")
    arguments = parser.parse_args()
    try:
        tasks, recorded = tasks_of(arguments.folder), {}
        if arguments.recorded:
            with open(arguments.recorded, encoding="utf-8", newline="") as file:
                recorded = read_recorded(file)
    except (OSError, peers.TableError) as error:
        print(f"benches/horn.py: {error}", file=sys.stderr)
        return 2
    if arguments.tenet is None:
        subprocess.run(["cargo", "build", "--release", "--quiet", "--locked"], cwd=ROOT, check=True)
        arguments.tenet = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tenet"
    results = prove_all([task for task in tasks if not arguments.only or task.name in arguments.only], recorded, arguments)
    if arguments.record:
        record(results, arguments.record)
    return 1 if any({"WRONG", "DIFFERENT", "FAILED"} & set(judge(result).split(", ")) for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
