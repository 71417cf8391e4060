#!/usr/bin/env python3
"""Hybrid abstraction on designs by others and on large ones of ours: four modes, decision diagrams and IC3, property by property.

    python3 benches/hybrid.py [FOLDER] [--only NAME ...] [--modes MODE ...] [--theirs] [--timeout SECONDS] [--runs N]
                              [--markdown] [--tenet PROGRAM]

FOLDER holds designs in Verilog, with assertions; each is given to `tenet prove` as it is. Without it, only the designs of
models/rtl are proved that are listed below. The modes:

    old        --engine hybrid --clusters off --branches off    plain predicate abstraction
    clusters   --engine hybrid --clusters on  --branches off
    branches   --engine hybrid --clusters off --branches on
    new        --engine hybrid                                  the published method
    bdd        --engine hybrid --abstraction none               reachability with decision diagrams
    ic3        --engine circuit                                 IC3 over bits

Prints for each property the bits of the registers that it depends on, and for each mode CPU seconds (of the whole command:
translation by Yosys, search, check of the certificate; the best of N runs, and one run if it takes long), the verdict
where it is not the one of the line, and iterations/predicates. Behind that, on how many properties `new` is at least as good
as `old`: it decides what `old` decides, in no more than 20 % more CPU time.

A run is ended after so many CPU seconds as --timeout says.

Exit code 1 if two modes contradict each other, if a run fails, if a verdict of a design of ours is wrong, if a design of FOLDER that
is read has a property that no mode decides, or if `new` is not at least as good on 80 % of the properties of FOLDER.
"""

import argparse
import collections
import json
import math
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches"))
sys.dont_write_bytecode = True

import peers  # noqa: E402, the script beside this one

DESIGNS = ROOT / "models" / "rtl"
MODES = {
    "old": ("--engine", "hybrid", "--clusters", "off", "--branches", "off"),
    "clusters": ("--engine", "hybrid", "--clusters", "on", "--branches", "off"),
    "branches": ("--engine", "hybrid", "--clusters", "off", "--branches", "on"),
    "new": ("--engine", "hybrid"),
    "bdd": ("--engine", "hybrid", "--abstraction", "none"),
    "ic3": ("--engine", "circuit"),
}
# Designs of ours at the size of the published instruction unit, and what is true of them.
OURS = {
    "instruction_unit": {
        "queue_in_range": "safe",
        "filled_line_is_invalid": "safe",
        "multiplier_has_work": "safe",
        "trap_is_quiet": "safe",
        "traps_do_not_nest": "safe",
        "writes_are_announced": "safe",
        "words_are_counted": "safe",
        "queue_never_full": "unsafe",
        "fills_are_wanted": "unsafe",
    },
    "load_store_unit": {
        "buffer_in_range": "safe",
        "dirty_is_valid": "safe",
        "filled_line_is_invalid": "safe",
        "only_dirty_goes_back": "safe",
        "bus_has_a_reason": "safe",
        "stopped_is_silent": "safe",
        "swaps_are_ordered": "safe",
        "stores_do_not_wait": "unsafe",
        "refused_once": "unsafe",
    },
}
# How much more CPU time counts as the same, and on what share of the properties it has to be so.
SLACK, SHARE = 1.2, 0.8
# How many times longer than its CPU time a run may take.
BUSY = 12
# Characters of an answer that are read.
MUCH_TEXT = 100_000_000
# A run that takes so many seconds is not repeated.
LONG = 10

# A property to prove: a file, its name if there are several, the expected verdict if it is known.
Task = collections.namedtuple("Task", "design file property expected")
# What a mode said of it.
Found = collections.namedtuple("Found", "verdict seconds iterations predicates bits gates")

CELL = " {:>15}"


def tasks_of(folder, tenet):
    """A task for each design in the folder that has one property or cannot be read, else for each of its properties."""
    found = []
    for path in sorted(path for path in Path(folder).iterdir() if re.search(r"\.s?v($|\.)", path.name)):
        design = path.name.split(".")[0]
        names = properties_of(path, tenet)
        several = [Task(f"{design}: {name}", path, name, None) for name in names]
        found += several if len(several) > 1 else [Task(design, path, None, None)]
    return found


def properties_of(path, tenet):
    """The names of a design's properties."""
    text = subprocess.run([tenet, "check", path, "-v"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"^  properties: (.*)$", text, re.MULTILINE)
    return found.group(1).split(", ") if found else []


def ours():
    """A task for each property of ours."""
    return [
        Task(f"{design}: {name}", DESIGNS / f"{design}.v", name, expected)
        for design, properties in OURS.items()
        for name, expected in properties.items()
    ]


def prove(task, mode, arguments):
    """What a mode says of a property."""
    texts = []

    def verdict_of(code, text):
        texts.append(text)
        return "time out" if code == -signal.SIGXCPU else peers.our_verdict(code, text)

    limit = math.ceil(arguments.timeout)
    # The limit is one of CPU time, so that it means the same on a busy machine.
    command = ["sh", "-c", f'ulimit -S -t {limit}; exec "$@"', "sh", arguments.tenet, "prove", task.file, "--json", *MODES[mode]]
    command += ["--timeout", str(BUSY * limit)]
    if task.property:
        command += ["--property", task.property]
    runs = []
    while len(runs) < arguments.runs and (not runs or runs[0].cpu < LONG):
        runs.append(peers.run(command, BUSY * limit + 30, verdict_of))
    best = min(range(len(runs)), key=lambda place: runs[place].cpu)
    try:
        # A run of thousands of steps has hundreds of megabytes, and its figures are not needed.
        answer = json.loads(texts[best]) if len(texts[best]) < MUCH_TEXT else {}
    except (IndexError, json.JSONDecodeError):
        answer = {}
    return found_in(runs[best], answer)


def found_in(run, answer):
    """The figures of the table."""
    work = answer.get("hybrid") or []
    largest = lambda key: max((one[key] or 0 for one in work), default=None)  # noqa: E731
    return Found(
        run.verdict,
        run.cpu,
        sum(one["iterations"] for one in work) if work else None,
        max(len(one["predicates"]) for one in work) if work else None,
        largest("register_bits"),
        largest("gates"),
    )


def is_decided(found):
    return found is not None and found.verdict in ("safe", "unsafe")


def is_refused(results):
    """No mode has read the design."""
    return all(found.verdict == "exit 4" or found.verdict == "exit 3" for found in results.values())


def verdict(results):
    """What the modes agree on."""
    said = {found.verdict for found in results.values() if is_decided(found)}
    if is_refused(results):
        return "refused"
    return "CONTRADICTION" if len(said) > 1 else said.pop() if said else "unknown"


def is_as_good(old, new):
    """Does `new` decide what `old` decides, in about as much time?"""
    if not is_decided(new):
        return not is_decided(old)
    return not is_decided(old) or new.seconds <= SLACK * old.seconds


def shown(mode, found):
    """The cell of a mode: CPU seconds, and iterations/predicates where there are any."""
    if found is None:
        return ""
    if not is_decided(found):
        return f">{found.seconds:.0f}" if found.verdict in ("unknown", "time out") else found.verdict
    counts = f" {found.iterations}/{found.predicates}" if mode not in ("bdd", "ic3") and found.iterations else ""
    return f"{found.seconds:.2f}{counts}"


def remark(task, results):
    """What stands behind a line; capitals are for what must not be."""
    words = []
    said = verdict(results)
    if said == "unknown":
        words.append("not decided" if task.expected else "NOT DECIDED")
    if task.expected and said in ("safe", "unsafe") and said != task.expected:
        words.append(f"WRONG: it is {task.expected}")
    for mode, found in results.items():
        if found.verdict not in ("safe", "unsafe", "unknown", "time out") and said != "refused":
            words.append(f"FAILED ({mode}: {found.verdict})")
    if said != "refused" and {"old", "new"} <= results.keys() and not is_as_good(results["old"], results["new"]):
        words.append("old is faster")
    return ", ".join(words)


def cells(task, results):
    size = next((found.bits for found in results.values() if found.bits is not None), None)
    gates = next((found.gates for found in results.values() if found.gates is not None), None)
    known = lambda number: "–" if number is None else str(number)  # noqa: E731
    modes = [shown(mode, results.get(mode)) for mode in MODES]
    return [task.design, known(size), known(gates), verdict(results), *modes, remark(task, results)]


HEADING = ["property", "bits", "gates", "verdict", *MODES, ""]


def line(values, is_markdown):
    """A line of the table."""
    if is_markdown:
        return "| " + " | ".join(values) + " |"
    name, bits, gates, word, *rest = values
    text = f"{name:36} {bits:>6} {gates:>7} {word:8}" + "".join(CELL.format(cell) for cell in rest[:-1]) + f"  {rest[-1]}"
    return text.rstrip()


def summary(rows):
    """The closing lines, and whether all is as it should be."""
    read = [(task, results) for task, results in rows if not is_refused(results)]
    words = [remark(task, results) for task, results in rows]
    good = not any(word.isupper() and len(word) > 3 for text in words for word in re.findall(r"[A-Z]+", text))
    good &= not any(verdict(results) == "CONTRADICTION" for _, results in rows)
    print(f"{len(rows)} properties, {len(rows) - len(read)} of them in designs that are refused")
    for mode in MODES:
        known = [results[mode] for _, results in read if mode in results]
        if known:
            seconds = sum(found.seconds for found in known)
            print(f"{mode:9} decides {sum(map(is_decided, known))} of {len(known)}, {seconds:.0f} s altogether")
    for name, of in (("by others", None), ("of ours", True)):
        both = [r for task, r in read if {"old", "new"} <= r.keys() and bool(task.expected) == bool(of)]
        both = [r for r in both if is_decided(r["old"]) or is_decided(r["new"])]
        if not both:
            continue
        count = sum(is_as_good(results["old"], results["new"]) for results in both)
        print(f"new is at least as good as old on {count} of {len(both)} properties {name} that one of them decides")
        good &= bool(of) or count >= SHARE * len(both)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="designs by others")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only properties whose name begins with one of these")
    parser.add_argument("--modes", nargs="+", metavar="MODE", choices=MODES, default=list(MODES), help="only these modes")
    parser.add_argument("--theirs", action="store_true", help="leave our designs out")
    parser.add_argument("--timeout", type=float, default=60, help="CPU seconds for one run [default: 60]")
    parser.add_argument("--runs", type=int, default=3, help="how often each is proved [default: 3]")
    parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    parser.add_argument("--tenet", metavar="PROGRAM", help="the program to measure [default: build it]")
    arguments = parser.parse_args()
    arguments.tenet = peers.built(arguments.tenet)
    tasks = (tasks_of(arguments.folder, arguments.tenet) if arguments.folder else []) + ([] if arguments.theirs else ours())
    if arguments.only:
        tasks = [task for task in tasks if task.design.startswith(tuple(arguments.only))]
    print(line(HEADING, arguments.markdown))
    if arguments.markdown:
        print(line(["---"] * len(HEADING), True))
    rows = []
    for task in tasks:
        results = {mode: prove(task, mode, arguments) for mode in MODES if mode in arguments.modes}
        rows.append((task, results))
        print(line(cells(task, results), arguments.markdown), flush=True)
    print()
    return 0 if summary(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
