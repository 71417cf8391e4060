#!/usr/bin/env python3
"""`tenet prove` on models by others, beside the times of Cubicle.

    python3 benches/peers.py [FOLDER] [--murphi FOLDER] [--only NAME ...] [--runs N] [--timeout SECONDS] [--measure]

FOLDER holds Cubicle files and `expected.tsv`, whose first line is a heading and whose columns are: file, verdict (safe, unsafe or
unknown), and Cubicle's CPU seconds with `-brab 2` (may be empty). With --measure, Cubicle is run side by side instead, if it
is on the PATH. The folder of --murphi holds Murphi models, of which those in the table below are proved, each within its
bound in seconds.

Each file is given to `tenet prove` as it is, one after the other. Prints the verdict, CPU seconds (user and system, with start-up and
the check of the certificate), wall-clock seconds and the peak of memory; the best of N runs counts, as the machine may be
busy with other things. Exit code 1 if a verdict is wrong or a run fails, 2 if a table cannot be read.
"""

import argparse
import collections
import csv
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERDICTS = {0: "safe", 10: "unsafe", 5: "unknown"}
SLOW = 10  # seconds of wall-clock time, for the summary

# Murphi models that are well known, the verdict for every size, and within how many seconds it should be there.
MURPHI = [
    ("german_baukus.m", "safe", 5),
    ("german_pfs.m", "safe", 5),
    ("german.ctc.m", "safe", 5),
    ("german.m", "safe", 5),
    ("mutualEx.m", "safe", 5),
    ("szymanski_at.m", "safe", 5),
    ("german_buggy.m", "unsafe", 5),
    ("flash_nodata.m", "safe", 10),
    ("flash.m", "safe", 60),
    ("szymanski_na.m", "safe", None),
]

# A file to prove: what is expected of it, Cubicle's CPU seconds and a bound for ours, if there are any.
Task = collections.namedtuple("Task", "name expected peer bound")
# What a run took: how it ended, CPU and wall-clock seconds, megabytes.
Run = collections.namedtuple("Run", "verdict cpu wall memory")

COLUMNS = "{:32} {:8} {:8} {:>9} {:>9} {:>8} {:>7} {:>7}  {}"


class TableError(Exception):
    """A table cannot be read."""


def read_table(lines):
    """The tasks of a table."""
    rows = [row for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if row]
    if not rows or rows[0][:3] != ["file", "verdict", "cubicle_brab2_cpu_s"]:
        raise TableError("the columns are not `file`, `verdict`, `cubicle_brab2_cpu_s`")
    tasks = []
    for row in rows[1:]:
        name, verdict, seconds = (row + ["", ""])[:3]
        if verdict not in VERDICTS.values():
            raise TableError(f"{name}: `{verdict}` is no verdict")
        try:
            tasks.append(Task(name, verdict, float(seconds) if seconds.strip() else None, None))
        except ValueError:
            raise TableError(f"{name}: `{seconds}` is no time") from None
    return tasks


def built(program):
    """The program to measure: the given one, or the one of this folder, which is built. Verilog is read with the Yosys of set-up."""
    provided = ROOT / ".deps" / "yosys" / "bin" / "yosys"
    if provided.exists():
        os.environ.setdefault("TENET_YOSYS", str(provided))
    if program is not None:
        return program
    subprocess.run(["cargo", "build", "--release", "--quiet", "--locked"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tenet"


def run(command, timeout, verdict_of):
    """Runs a program, at most so many seconds. `verdict_of` gets its exit code and what it printed."""
    started = time.monotonic()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        watchdog = threading.Timer(timeout, child.kill)
        watchdog.start()
        _, status, usage = os.wait4(child.pid, 0)
        watchdog.cancel()
        wall = time.monotonic() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    verdict = "time out" if wall >= timeout else verdict_of(child.returncode, text)
    return Run(verdict, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def our_verdict(code, _text):
    return VERDICTS.get(code, f"exit {code}")


def cubicle_verdict(code, text):
    """Cubicle says it in its last words."""
    if "UNSAFE" in text:
        return "unsafe"
    return "safe" if "SAFE" in text else f"exit {code}"


def best(command, arguments, verdict_of):
    """The fastest of several runs; `tenet` should stop by itself before it is stopped."""
    runs = [run(command, arguments.timeout + 5, verdict_of) for _ in range(arguments.runs)]
    return min(runs, key=lambda found: found.cpu)


def judge(expected, found):
    """What to say about a verdict: "" if it is the expected one."""
    if found == expected:
        return ""
    if found in ("unknown", "time out"):
        return "missing"
    if found not in VERDICTS.values():
        return "FAILED"
    return "more" if expected == "unknown" else "WRONG"


def remark(task, found):
    """What stands behind the line of a file."""
    words = [judge(task.expected, found.verdict)]
    if task.bound is not None:
        words.append(f"bound {task.bound} s" + (", EXCEEDED" if found.wall > task.bound else ""))
    return ", ".join(word for word in words if word)


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def show(number, digits):
    return "-" if number is None else f"{number:.{digits}f}"


def ratio(task, found):
    """How our CPU time compares with Cubicle's; neither is less than a clock tick."""
    return None if task.peer is None else max(found.cpu, 0.01) / max(task.peer, 0.01)


def line(task, found):
    numbers = [show(task.peer, 2), show(found.cpu, 2), show(found.wall, 2), show(found.memory, 0), show(ratio(task, found), 2)]
    return COLUMNS.format(task.name, task.expected, found.verdict, *numbers, remark(task, found)).rstrip()


def summary(results):
    """The last lines: pairs of tasks and runs in, text out."""
    judged = collections.Counter(judge(task.expected, found.verdict) for task, found in results)
    timed = [(task, found) for task, found in results if task.peer is not None]
    # A run that gave up early would make us look fast.
    ratios = [ratio(task, found) for task, found in timed if found.verdict == task.expected]
    slow = sum(found.wall > SLOW for _, found in results)
    late = sum(task.bound is not None and found.wall > task.bound for task, found in results)
    lines = [
        f"{len(results)} files: {judged['WRONG']} wrong verdicts, {judged['missing']} missing, {judged['FAILED']} failed, "
        f"{judged['more']} decided beyond the table; {slow} above {SLOW} s, {late} above their bounds; "
        f"at most {max((found.memory for _, found in results), default=0):.0f} MB"
    ]
    if ratios:
        over = f"over the {len(ratios)} files with the right verdict, of {len(timed)}"
        lines.append(f"geometric mean of our CPU time / Cubicle's, {over}: {geometric_mean(ratios):.2f}")
    return "\n".join(lines)


def prove_all(tenet, folder, tasks, arguments):
    """Prints the table of a folder; whether all runs ended well."""
    print(COLUMNS.format("file", "expected", "verdict", "Cubicle s", "CPU s", "wall s", "MB", "ratio", "").rstrip())
    results = []
    for task in tasks:
        if arguments.measure and task.peer is not None:
            command = ["cubicle", "-brab", "2", "-quiet", folder / task.name]
            task = task._replace(peer=best(command, arguments, cubicle_verdict).cpu)
        command = [tenet, "prove", folder / task.name, "--timeout", f"{arguments.timeout:g}"]
        found = best(command, arguments, our_verdict)
        print(line(task, found), flush=True)
        results.append((task, found))
    print(summary(results), flush=True)
    return not {"WRONG", "FAILED"} & {judge(task.expected, found.verdict) for task, found in results}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="Cubicle files and expected.tsv")
    parser.add_argument("--murphi", type=Path, metavar="FOLDER", help="well-known Murphi models")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these files")
    parser.add_argument("--runs", type=int, default=1, help="how often each file is proved [default: 1]")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run [default: 60]")
    parser.add_argument("--measure", action="store_true", help="run `cubicle` instead of using recorded times")
    arguments = parser.parse_args()
    if arguments.folder is None and arguments.murphi is None:
        parser.error("there is no folder")
    if arguments.measure and not shutil.which("cubicle"):
        parser.error("--measure needs `cubicle` on the PATH")

    folders = []
    try:
        if arguments.folder:
            with open(arguments.folder / "expected.tsv", encoding="utf-8", newline="") as file:
                folders.append((arguments.folder, read_table(file)))
    except (OSError, TableError) as error:
        print(f"benches/peers.py: {error}", file=sys.stderr)
        return 2
    if arguments.murphi:
        folders.append((arguments.murphi, [Task(name, verdict, None, bound) for name, verdict, bound in MURPHI]))

    tenet = built(None)
    good = True
    for folder, tasks in folders:
        chosen = [task for task in tasks if not arguments.only or task.name in arguments.only]
        if chosen:
            good &= prove_all(tenet, folder, chosen, arguments)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
