#!/usr/bin/env python3
"""Runs that differ in their seed alone are equal runs: hardly any two of them may compare as changed. With one row of
the second made 3 % slower, most of them have to.

usage: equal-seeds.py VEBENCH RUNS [FIRST_SEED]

Without FIRST_SEED the seeds are drawn anew. Measures an emulated A380 RUNS times, votes and divergent paths included,
whose times depend on contents, and compares each two: at most one pair in twenty, and one more, may have status 3.
Then once more for each pair, with a row drawn among those that cost something and slowed by 3 %: nine pairs in ten,
but for one, must have status 3 for that row.
"""
import csv
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

DIFFERENT = 3
SLOWED = 1.03
TIMES = [*(f"ns_{what}" for what in ("min", "p05", "median", "mean", "p95", "max", "stddev")),
         "ci95_lo_ns", "ci95_hi_ns", "value", "cycles"]
FAMILIES = ["barrier", "collective", "divergence", "exchange", "slm"]
AXES = ["--axis", "subgroup_size=8", "--axis", "workgroup_size=32"]


def measure(vebench, seed, output):
    command = [vebench, "run", *FAMILIES, "--emulate", "a380", *AXES]
    subprocess.run([*command, "--seed", str(seed), "--quiet", "--output", output], check=True)


def compare(vebench, first, second):
    """The lines of what changed; None unless the runs compare as different."""
    said = subprocess.run([vebench, "compare", first, second], capture_output=True, text=True, check=False)
    if said.returncode not in (0, DIFFERENT):
        sys.exit(f"compare: {said.stderr}")
    changes = [line for line in said.stdout.splitlines() if line.startswith(("SLOWER", "FASTER"))]
    return changes if said.returncode == DIFFERENT else None


def slow_down_one(file, slowed, draw):
    """Copies `file` to `slowed` with one row's times 3 % longer; the row."""
    with open(file, newline="") as source:
        reader = csv.DictReader(source)
        rows = list(reader)
    row = draw.choice([row for row in rows if row["status"] == "ok" and float(row["ci95_lo_ns"]) > 0])
    before = float(row["value"])
    for column in TIMES:
        row[column] = row[column] and repr(float(row[column]) * SLOWED)
    row["loop_ns"] = repr(float(row["loop_ns"]) + before * (SLOWED - 1))
    with open(slowed, "w", newline="") as target:
        writer = csv.DictWriter(target, reader.fieldnames, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return row


def main(vebench, runs, first=None):
    first = int(first) if first else random.SystemRandom().randrange(1 << 32)
    draw = random.Random(first)
    different = noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"{first + i}.csv" for i in range(int(runs))]
        for i, file in enumerate(files):
            measure(vebench, first + i, file)
        pairs = list(itertools.combinations(files, 2))
        slowed = pathlib.Path(folder) / "slowed.csv"
        for one, other in pairs:
            changes = compare(vebench, one, other)
            if changes is not None:
                different += 1
                print(one.name, other.name, *changes, sep="\n  ")
            row = slow_down_one(other, slowed, draw)
            changes = compare(vebench, one, slowed)
            if any(f" {row['benchmark']} {row['variant']}," in change for change in changes or ()):
                noticed += 1
            else:
                print(f"not noticed: {row['variant']}, {row['value']} [{row['ci95_lo_ns']}, {row['ci95_hi_ns']}]")
    print(f"{different} of {len(pairs)} pairs differ, and {noticed} with one row 3 % slower; seeds from {first}")
    return different > len(pairs) / 20 + 1 or noticed < len(pairs) * 0.9 - 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
