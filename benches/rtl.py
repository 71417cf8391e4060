#!/usr/bin/env python3
"""Hardware: hybrid abstraction in four modes, and proofs about data of growing width.

    python3 benches/rtl.py [--only PROPERTY ...] [--modes MODE ...] [--no-widths | --widths-only] [--timeout SECONDS]
                           [--runs N] [--tenet PROGRAM]

The first table is about models/rtl/pfir.v. Each of its nine properties is given to `tenet prove --engine hybrid` with clusters
on or off and branch conditions on or off: "plain" has neither, "hybrid" both. Prints for each mode wall-clock seconds (of the whole
command: translation by Yosys, search, check of the certificate), iterations and predicates, how many times faster hybrid is than
plain, and the published figures of the experiment that the design is made for: seconds without and with the method. The design
there was another one, so they are comparable in spirit only.

The second table is about models/rtl/fifo.v, cache.v and lock.v: CPU seconds of `tenet prove` for words of 8, 16, 32 and 64 bits, and
how much longer 64 bits take than 8.

The best of N runs counts, as the machine may be busy with other things. Exit code 1 if a verdict is wrong, if hybrid misses a
property or needs more than 60 s for one, if it is not ten times faster than plain on three properties (those with a time out
count with that time), or if 64 bits take more than twice as long as 8.
"""

import argparse
import collections
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches"))
sys.dont_write_bytecode = True

import peers  # noqa: E402, the script beside this one

DESIGNS = ROOT / "models" / "rtl"
# Clusters and branch conditions.
MODES = {"plain": ("off", "off"), "clusters": ("on", "off"), "branches": ("off", "on"), "hybrid": ("on", "on")}
# What is true of models/rtl/pfir.v.
PROPERTIES = {
    "scr1": "unsafe",
    "prop2": "safe",
    "prop3": "safe",
    "prop5": "unsafe",
    "prop7": "safe",
    "prop8": "safe",
    "prop9": "safe",
    "prop10": "safe",
    "prop12": "safe",
}
# E. Clarke, O. Grumberg, M. Talupur, D. Wang, MEMOCODE 2003: seconds of predicate abstraction before and with the method, of
# properties that are called the same (machine not given).
PUBLISHED = {
    "scr1": ("746", "386"),
    "prop5": ("1616", "756"),
    "prop8": (">24 h", "159"),
    "prop9": (">24 h", "202"),
    "prop10": ("6808", "178"),
    "prop12": (">24 h", "591"),
}
LIMIT = 60  # seconds for hybrid
FASTER, TIMES = 10, 3  # so many times faster, on so many properties

WIDE = ("fifo", "cache", "lock")
WIDTHS = (8, 16, 32, 64)
GROWTH = 2

# What a run in a mode took.
Found = collections.namedtuple("Found", "verdict seconds iterations predicates")

MODE_COLUMNS = " {:>9} {:>4} {:>5} |"
WIDTH_COLUMNS = "{:10}" + " {:>9}" * len(WIDTHS) + " {:>8}  {}"


def prove(design, options, arguments):
    """The best run of `tenet prove --json`: what it took, and what it printed."""
    texts = []

    def verdict_of(code, text):
        texts.append(text)
        return peers.our_verdict(code, text)

    command = [arguments.tenet, "prove", DESIGNS / f"{design}.v", "--json", "--timeout", f"{arguments.timeout:g}", *options]
    # Time for the translation, and to stop by itself.
    runs = [peers.run(command, arguments.timeout + 15, verdict_of) for _ in range(arguments.runs)]
    place = min(range(len(runs)), key=lambda place: runs[place].cpu)
    try:
        return runs[place], json.loads(texts[place])
    except (IndexError, json.JSONDecodeError):
        return runs[place], {}


def in_mode(name, mode, arguments):
    clusters, branches = MODES[mode]
    options = ["--engine", "hybrid", "--clusters", clusters, "--branches", branches, "--property", name]
    return found_in(*prove("pfir", options, arguments))


def found_in(run, answer):
    """The numbers of the table."""
    work = answer.get("hybrid", [])
    return Found(
        run.verdict,
        run.wall,
        sum(one["iterations"] for one in work) if work else None,
        max(len(one["predicates"]) for one in work) if work else None,
    )


def is_decided(found):
    return found.verdict in ("safe", "unsafe")


def ratio(plain, hybrid):
    """How many times faster hybrid is; at least so many if plain has not come to an end."""
    return plain.seconds / max(hybrid.seconds, 0.01) if is_decided(hybrid) else None


def mode_cells(found):
    """The three cells of a mode."""
    if found is None:
        return MODE_COLUMNS.format("", "", "")
    seconds = f"{found.seconds:.1f}" if is_decided(found) else f">{found.seconds:.0f}"
    counts = ["-" if count is None else count for count in (found.iterations, found.predicates)]
    return MODE_COLUMNS.format(seconds, *counts)


def remark(expected, results):
    """What stands behind a line; capitals are for what must not be."""
    words = []
    for mode, found in results.items():
        judged = peers.judge(expected, found.verdict)
        if judged in ("WRONG", "FAILED"):
            words.append(f"{judged} ({mode}: {found.verdict})")
    hybrid = results.get("hybrid")
    if hybrid and (not is_decided(hybrid) or hybrid.seconds > LIMIT):
        words.append("TOO SLOW")
    return ", ".join(words)


def line(name, expected, results):
    """The line of a property."""
    cells = "".join(mode_cells(results.get(mode)) for mode in MODES)
    times = ratio(results["plain"], results["hybrid"]) if {"plain", "hybrid"} <= results.keys() else None
    mark = "" if times is None or is_decided(results["plain"]) else ">"
    before, after = PUBLISHED.get(name, ("", ""))
    rest = f"{mark + peers.show(times, 1):>8} | {before:>6} {after:>5}  {remark(expected, results)}"
    return f"{name:7} {expected:7}|{cells}{rest}".rstrip()


def heading():
    """The two lines above the table."""
    modes = "".join(f" {mode:20} |" for mode in MODES)
    columns = MODE_COLUMNS.format("s", "iter", "preds") * len(MODES)
    return f"{'':7} {'':7}|{modes}{'hybrid':>8} | published\n{'':7} {'':7}|{columns}{'x faster':>8} | before after"


def prove_in_modes(arguments):
    """Prints the first table; whether all is as it should be."""
    print(heading(), flush=True)
    good, ratios = True, []
    for name in arguments.only or PROPERTIES:
        results = {mode: in_mode(name, mode, arguments) for mode in MODES if mode in arguments.modes}
        print(line(name, PROPERTIES[name], results), flush=True)
        good &= not remark(PROPERTIES[name], results)
        if {"plain", "hybrid"} <= results.keys():
            ratios.append(ratio(results["plain"], results["hybrid"]) or 0)
    much = sum(times >= FASTER for times in ratios)
    if ratios:
        print(f"hybrid is {FASTER} times faster than plain, or more, on {much} of {len(ratios)} properties", flush=True)
    is_complete = len(ratios) == len(PROPERTIES)
    return good and (much >= TIMES or not is_complete)


def growth(runs):
    """How much longer the widest words take than the narrowest ones."""
    if any(run.verdict != "safe" for run in runs):
        return None
    return runs[-1].cpu / max(runs[0].cpu, 0.01)


def width_line(design, runs):
    """The line of a design with wide data."""
    cells = [f"{run.cpu:.2f}" if run.verdict == "safe" else run.verdict for run in runs]
    grows = growth(runs)
    words = "" if grows is not None and grows <= GROWTH else "GROWS TOO MUCH" if grows is not None else "NOT PROVED"
    return WIDTH_COLUMNS.format(design, *cells, peers.show(grows, 2), words).rstrip()


def prove_widths(arguments):
    """Prints the second table; whether all is as it should be."""
    print(WIDTH_COLUMNS.format("CPU s", *[f"{width} bits" for width in WIDTHS], "64 / 8", "").rstrip())
    good = True
    for design in WIDE:
        runs = [prove(design, ["--const", f"WIDTH={width}"], arguments)[0] for width in WIDTHS]
        print(width_line(design, runs), flush=True)
        grows = growth(runs)
        good &= grows is not None and grows <= GROWTH
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="PROPERTY", choices=PROPERTIES, help="only these properties of the filter")
    parser.add_argument("--modes", nargs="+", metavar="MODE", choices=MODES, default=list(MODES), help="only these modes")
    parser.add_argument("--no-widths", action="store_true", help="leave the second table out")
    parser.add_argument("--widths-only", action="store_true", help="leave the first table out")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run [default: 120]")
    parser.add_argument("--runs", type=int, default=1, help="how often each is proved [default: 1]")
    parser.add_argument("--tenet", metavar="PROGRAM", help="the program to measure [default: build it]")
    arguments = parser.parse_args()
    arguments.tenet = peers.built(arguments.tenet)
    good = arguments.widths_only or prove_in_modes(arguments)
    if not arguments.no_widths:
        print()
        good &= prove_widths(arguments)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
