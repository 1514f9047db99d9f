#!/usr/bin/env python3
"""Runs that differ in their seed alone are equal runs: hardly any two of them may compare as changed.

usage: equal-seeds.py VEBENCH RUNS [FIRST_SEED]

Without FIRST_SEED the seeds are drawn anew. Measures votes and exchanges of an emulated A380 RUNS times, and compares
each two: at most one pair in twenty, and one more, may have status 3.
"""
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

DIFFERENT = 3
AXES = ["--axis", "subgroup_size=8", "--axis", "workgroup_size=32"]


def measure(vebench, seed, output):
    command = [vebench, "run", "exchange", "divergence", "--emulate", "a380", *AXES]
    subprocess.run([*command, "--seed", str(seed), "--quiet", "--output", output], check=True)


def is_different(vebench, first, second):
    said = subprocess.run([vebench, "compare", first, second], capture_output=True, text=True, check=False)
    if said.returncode not in (0, DIFFERENT):
        sys.exit(f"compare: {said.stderr}")
    changes = [line for line in said.stdout.splitlines() if line.startswith(("SLOWER", "FASTER"))]
    if said.returncode == DIFFERENT:
        print(first.name, second.name, *changes, sep="\n  ")
    return said.returncode == DIFFERENT


def main(vebench, runs, first=None):
    first = int(first) if first else random.SystemRandom().randrange(1 << 32)
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"{first + i}.csv" for i in range(int(runs))]
        for i, file in enumerate(files):
            measure(vebench, first + i, file)
        pairs = list(itertools.combinations(files, 2))
        different = sum(is_different(vebench, *pair) for pair in pairs)
    print(f"{different} of {len(pairs)} pairs differ, seeds from {first}")
    return different > len(pairs) / 20 + 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
