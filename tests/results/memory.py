#!/usr/bin/env python3
"""memory.py VEBENCH NO_MEMORY.so: what the commands that judge results do when memory runs out.

One allocation fails (no-memory.c): the first and the last of each place in the program that allocates, and some others. Each
time the command has to say that there is no memory, or to say the same as ever: it neither crashes nor leaves anything out without a
word. (fit is not among them: an equation that there was no memory to try counts as one that does not fit.)"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile

import outputs

OTHERS = 20  # allocations that fail at equal distances, besides those
# The JSON library takes a token that it has no memory for as a malformed one, and a text for a shorter one.
SIGNS = ("memory", "invalid token", "expected", "its format is")
COMMANDS = (
    ["check", "model.json", "few.csv"],
    ["advise", "model.json", "--family", "barrier"],
    ["advise", "model.json", "--family", "barrier", "few.csv"],
    ["compare", "few.csv", "other.csv", "--all"],
    ["compare", "few.csv", "few.csv", "--sizes", "16,32", "--all"],
    ["fleet", "fleet.csv", "--racks", "^r[0-9]+"],
    ["fleet", "--history", *(f"day-{day}.csv" for day in range(5))],
    ["plausible", "few.csv"],
    ["report", "few.csv", "--force", "--output", "page"],
)


def run(command, folder, **environment):
    done = subprocess.run(command, cwd=folder, env=dict(os.environ, LC_ALL="C", PATH="", **environment),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", timeout=100)
    return done.returncode, done.stdout, done.stderr


def points(count, of_places):
    """The allocations that fail."""
    return sorted({*of_places, *range(1, count + 1, max(count // OTHERS, 1))})


def troubles_of(command, folder, library):
    """What goes wrong, as texts, and how often the command refused to go on."""
    usual = run(command, folder, LD_PRELOAD=library, NO_MEMORY_COUNT="count.txt")
    count, *of_places = map(int, (folder / "count.txt").read_text().split())
    troubles, refused = [], 0
    for at in points(count, of_places):
        status, said, errors = run(command, folder, LD_PRELOAD=library, NO_MEMORY_AT=str(at))
        if status == 1 and any(sign in errors for sign in SIGNS) or "out of memory" in said:
            refused += 1
        elif (status, said) != usual[:2]:
            troubles.append(f"{' '.join(command[1:])}, allocation {at} of {count}: exit status {status}, not "
                            f"{usual[0]}: {errors[-200:]}")
    return troubles, refused


def main():
    vebench, library = (os.path.abspath(word) for word in sys.argv[1:])
    troubles = []
    with open(outputs.HERE / "rows.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in outputs.of(list(csv.DictReader(file)), "barrier", "latency")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        outputs.put(folder / "few.csv", outputs.results(rows, 1))
        outputs.put(folder / "other.csv", outputs.results(rows, 2, slower=lambda row: 1.1))
        outputs.put(folder / "fleet.csv", outputs.fleet_of(64, rows[:2], 4))
        for day in range(5):
            outputs.put(folder / f"day-{day}.csv", outputs.fleet_of(64, rows[:2], day))
        run([vebench, "fit", "few.csv", "--output", "model.json"], folder)
        for command in COMMANDS:
            found, refused = troubles_of([vebench, *command], folder, library)
            print(f"{command[0]}: refused to go on {refused} times, {len(found)} troubles")
            troubles += found
            if not refused:
                troubles.append(f"{command[0]} never noticed that memory ran out")
    print(*troubles, sep="\n")
    sys.exit(bool(troubles))


if __name__ == "__main__":
    main()
