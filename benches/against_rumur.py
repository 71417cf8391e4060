#!/usr/bin/env python3
"""States per second of `tenet explore` and of the checker that Rumur generates, side by side, both on one thread.

    python3 benches/against_rumur.py [--inputs FOLDER] [--rounds N]

Needs `rumur` and a C compiler on PATH (Debian package `rumur`). Without --inputs the project's own models are used;
with it also the models of that folder that the table below names. The two programs run in turn, N times each, and the
best user time of each counts: the machine may be busy with other things. The last column is the packed state against
what one stored state takes in all. Exit code 1 if Tenet is slower anywhere or stores more than twice the packed state.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# file, constant that gives the size, value, whether symmetry reduction is on
OWN = [
    ("german.m", "NODE_COUNT", 4, True),
    ("german.m", "NODE_COUNT", 4, False),
    ("szymanski.m", "PROCESS_COUNT", 5, True),
]
OTHERS = [
    ("german_baukus.m", "PROC_NUM", 4, True),
    ("german_baukus.m", "PROC_NUM", 4, False),
    ("german_baukus.m", "PROC_NUM", 5, True),
    ("german_baukus.m", "PROC_NUM", 5, False),
    ("szymanski_na.m", "PROC_NUM", 4, True),
    ("flash_nodata.m", "NODE_NUM", 2, True),
]


def user_seconds(command):
    """Runs a command; its output and the user time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def rumur_checker(model, constant, value, symmetry, folder):
    """The checker that Rumur generates for a model whose constant has this value."""
    text = model.read_text()
    text, count = re.subn(rf"(\b{constant}\s*:\s*)\d+", rf"\g<1>{value}", text, count=1)
    if count != 1:
        sys.exit(f"{model}: no constant {constant}")
    source, code, binary = folder / "model.m", folder / "checker.c", folder / "checker"
    source.write_text(text)
    mode = "heuristic" if symmetry else "off"
    options = ["--threads", "1", "--symmetry-reduction", mode, "--deadlock-detection", "off"]
    subprocess.run(["rumur", *options, "--output", code, source], check=True)
    flags = ["-O3", "-march=native", "-mcx16", "-w"]
    subprocess.run(["cc", *flags, "-o", binary, code, "-lpthread", "-latomic"], check=True)
    return binary


def measure(model, constant, value, symmetry, rounds, tenet):
    """Best times, the number of states (which must agree), and Tenet's sizes."""
    with tempfile.TemporaryDirectory() as folder:
        checker = rumur_checker(model, constant, value, symmetry, Path(folder))
        command = [tenet, "explore", model, "--const", f"{constant}={value}", "--threads", "1", "--json"]
        command += ["--deadlock", "off"] + ([] if symmetry else ["--no-symmetry"])
        ours, theirs = [], []
        for _ in range(rounds):
            output, seconds = user_seconds(command)
            ours.append(seconds)
            statistics = json.loads(output)["statistics"]
            output, seconds = user_seconds([checker])
            theirs.append(seconds)
            found = re.search(r"(\d+) states, (\d+) rules fired", output)
            counts = int(found[1]), int(found[2])
            if counts != (statistics["states"], statistics["rules_fired"]):
                sys.exit(f"{model.name}: Rumur finds {counts}, Tenet {statistics}")
        return min(ours), min(theirs), statistics


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=Path, help="folder with german_baukus.m, szymanski_na.m, flash_nodata.m")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()

    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    tenet = target / "release" / "tenet"
    table = [(ROOT / "models", row) for row in OWN]
    if arguments.inputs:
        table += [(arguments.inputs, row) for row in OTHERS]

    print(f"{'model':32} {'states':>10} {'rumur s':>8} {'tenet s':>8} {'ratio':>6}  bytes packed/stored")
    good = True
    for folder, (name, constant, value, symmetry) in table:
        ours, theirs, statistics = measure(folder / name, constant, value, symmetry, arguments.rounds, tenet)
        ratio = theirs / max(ours, 0.001)
        packed, stored = statistics["state_bytes"], statistics["bytes_per_state"]
        label = f"{name} {constant}={value}{'' if symmetry else ' full'}"
        print(f"{label:32} {statistics['states']:>10,} {theirs:8.2f} {ours:8.2f} {ratio:6.1f}  {packed}/{stored:.1f}")
        # Tiny searches have a fixed cost that says nothing about a stored state.
        roomy = statistics["states"] > 10_000 and stored > 2 * packed
        good = good and ratio >= 1 and not roomy
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
