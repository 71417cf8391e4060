#!/usr/bin/env python3
"""Two builds of `tenet` side by side: verdicts, solver calls and CPU time of the same commands.

    python3 benches/compare.py OLD NEW [--suites NAME ...] [--inputs FOLDER] [--timeout SECONDS] [--runs N] [--all]

OLD and NEW are programs. The suites are the commands of the other benchmarks: `papers` (tenet abstract on models/papers), `models`,
`recursive` and `rtl` (tenet prove on models/), and, below the folder of --inputs, `cubicle`, `murphi`, `horn`, `btor2` and
whatever other folder is named: tenet prove on every model in it.

Each command is run with OLD and with NEW, one right after the other, so that a machine that is busy with other things
is so for both; the best of N runs counts. Prints the commands whose verdicts, exit codes or solver calls differ, and those where NEW takes
more than 10 % and a tenth of a second longer (with --all, every command); then a line for each suite. Violations are counted but
their CPU time is not compared if a verdict differs, as the two did different work. Exit code 1 if a verdict is worse or a solver call
more is needed for the same proof.
"""

import argparse
import collections
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benches"), str(ROOT / "benches" / "papers")]
sys.dont_write_bytecode = True

import limits  # noqa: E402, the scripts of the other benchmarks
import peers  # noqa: E402
import rtl  # noqa: E402

ENDINGS = {".m", ".tenet", ".cub", ".smt2", ".btor2", ".btor", ".v", ".sv", ".clp"}
OWN = {"models": "models", "recursive": "models/recursive"}
SLOWER = (1.10, 0.1)  # this many times, and this many seconds

Task = collections.namedtuple("Task", "name command")
# The verdict of every property by its name, solver calls, CPU seconds, megabytes.
Result = collections.namedtuple("Result", "verdicts code calls cpu memory")

COLUMNS = "{:44} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8}  {}"


def models_in(folder):
    """All models of a folder, not of the folders in it."""
    return sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)


def tasks_of(suite, inputs):
    """The commands of a suite, without the program."""
    if suite == "papers":
        files = [ROOT / "models" / "papers" / f"{entry[0]}.tenet" for entry in limits.PAPERS]
        return [Task(file.name, ["abstract", file]) for file in files]
    if suite == "rtl":
        modes = ["--engine", "hybrid", "--clusters", "on", "--branches", "on", "--property"]
        filters = [Task(f"pfir.v {name}", ["prove", rtl.DESIGNS / "pfir.v", *modes, name]) for name in rtl.PROPERTIES]
        wide = [
            Task(f"{name}.v {width} bits", ["prove", rtl.DESIGNS / f"{name}.v", "--const", f"WIDTH={width}"])
            for name in rtl.WIDE
            for width in rtl.WIDTHS
        ]
        return filters + wide
    folder = ROOT / OWN[suite] if suite in OWN else inputs / suite
    folders = [folder] + sorted(path for path in folder.iterdir() if path.is_dir() and suite not in OWN)
    return [Task(str(file.relative_to(folder)), ["prove", file]) for each in folders for file in models_in(each)]


def run(program, task, arguments):
    """The best run of a command."""
    command = [program, *task.command, "--json", "--timeout", f"{arguments.timeout:g}"]
    texts = []

    def keep(code, text):
        texts.append((code, text))
        return str(code)

    results = []
    for _ in range(arguments.runs):
        found = peers.run(command, arguments.timeout + 30, keep)
        code, text = texts.pop() if texts else (-1, "")
        results.append(result_of(found, code, text))
    return min(results, key=lambda result: result.cpu)


def result_of(found, code, text):
    try:
        answer = json.loads(text)
    except json.JSONDecodeError:
        return Result({}, code, None, found.cpu, found.memory)
    # Properties may have the same name, and what is violated is listed first.
    verdicts, seen = {}, collections.Counter()
    for one in answer.get("properties") or []:
        seen[one["name"]] += 1
        verdicts[f"{one['name']} {seen[one['name']]}"] = one["verdict"]
    calls = (answer.get("statistics") or {}).get("smt_calls")
    return Result(verdicts, code, calls, found.cpu, found.memory)


def summary_of(result):
    """`3 safe, 1 unsafe`, or the exit code."""
    counts = collections.Counter(result.verdicts.values())
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) or f"exit {result.code}"


def is_decided(verdict):
    return verdict in ("safe", "unsafe")


def is_decided_code(result):
    """Does the exit code say that something is known?"""
    return result.code in (0, 10)


def remarks(old, new):
    """What to say of two results; capitals are for what must not be."""
    words = []
    if old.verdicts != new.verdicts or old.code != new.code:
        names = old.verdicts.keys() | new.verdicts.keys()
        pairs = [(old.verdicts.get(name), new.verdicts.get(name)) for name in names]
        if any(is_decided(before) and is_decided(after) and before != after for before, after in pairs):
            words.append("CONTRADICTION")
        elif any(is_decided(before) and not is_decided(after) for before, after in pairs) or is_decided_code(old) > is_decided_code(new):
            words.append("WORSE")
        elif any(not is_decided(before) and is_decided(after) for before, after in pairs):
            words.append("better")
        else:
            words.append("different")
        words.append(f"{summary_of(old)} -> {summary_of(new)}")
        return words
    if set(old.verdicts.values()) == {"safe"} and old.calls is not None and new.calls is not None and old.calls != new.calls:
        words.append("MORE CALLS" if new.calls > old.calls else "fewer calls")
    factor, seconds = SLOWER
    if new.cpu > old.cpu * factor and new.cpu > old.cpu + seconds:
        words.append("slower")
    return words


def line(task, old, new, words):
    calls = ["-" if result.calls is None else result.calls for result in (old, new)]
    ratio = f"{new.cpu / max(old.cpu, 0.01):.2f}"
    seconds = [f"{old.cpu:.2f}", f"{new.cpu:.2f}"]
    return COLUMNS.format(task.name, *calls, *seconds, ratio, f"{new.memory:.0f}", ", ".join(words)).rstrip()


def compare(suite, tasks, arguments):
    """Prints the lines of a suite; whether nothing has become worse."""
    good, pairs, counts = True, [], collections.Counter()
    for task in tasks:
        old, new = (run(program, task, arguments) for program in (arguments.old, arguments.new))
        words = remarks(old, new)
        if words or arguments.all:
            print(line(task, old, new, words), flush=True)
        good &= not {"CONTRADICTION", "WORSE", "MORE CALLS"} & set(words)
        counts.update(word for word in words if " -> " not in word)
        if old.verdicts == new.verdicts and all(map(is_decided, old.verdicts.values())) and old.verdicts:
            pairs.append((old, new))
    before, after = (sum(pair[side].cpu for pair in pairs) for side in (0, 1))
    calls = [sum(pair[side].calls or 0 for pair in pairs) for side in (0, 1)]
    told = ", ".join(f"{count} {word}" for word, count in sorted(counts.items())) or "no difference"
    print(
        f"== {suite}: {len(tasks)} commands ({told}); the {len(pairs)} with the same answers take "
        f"{before:.1f} -> {after:.1f} CPU s ({after / max(before, 0.01):.2f}), {calls[0]} -> {calls[1]} solver calls",
        flush=True,
    )
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD", help="the program to compare with")
    parser.add_argument("new", metavar="NEW", help="the program in question")
    parser.add_argument("--suites", nargs="+", metavar="NAME", help="only these [default: all there are]")
    parser.add_argument("--inputs", type=Path, metavar="FOLDER", help="folders with models by others")
    parser.add_argument("--timeout", type=float, default=20, help="seconds for one run [default: 20]")
    parser.add_argument("--runs", type=int, default=1, help="how often each is run [default: 1]")
    parser.add_argument("--all", action="store_true", help="print every command")
    arguments = parser.parse_args()
    theirs = sorted(path.name for path in arguments.inputs.iterdir() if path.is_dir()) if arguments.inputs else []
    known = ["papers", "rtl", *OWN, *theirs]
    suites = arguments.suites or ["papers", *OWN, "rtl", *[name for name in theirs if name not in OWN and name != "rtl"]]
    if unknown := [suite for suite in suites if suite not in known]:
        parser.error(f"no such suite: {', '.join(unknown)}")
    print(COLUMNS.format("command", "calls", "calls", "CPU s", "CPU s", "new/old", "MB", ""), flush=True)
    good = [compare(suite, tasks_of(suite, arguments.inputs), arguments) for suite in suites]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
