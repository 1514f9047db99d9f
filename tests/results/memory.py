#!/usr/bin/env python3
"""memory.py VEBENCH NO_MEMORY.so: what the commands that judge results do when memory runs out.

One allocation fails (no-memory.c): the first of each place in the program that allocates, and some others. Each time
the command has to say that there is no memory, or to say the same as ever: it neither crashes nor leaves anything out
without a word."""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile

import outputs

OTHERS = 20  # allocations that fail at equal distances, besides those
# Where Jansson (2.14) has no memory for the next character of a token it goes on without, and past the token's
# end: while it reads, it has memory.
READS_MODEL = {"NO_MEMORY_SPARES": "libjansson"}
FITTED = ("barrier", "latency", "slm", "atomics", "launch", "memory_32")  # each way to fit
COMMANDS = (
    ["fit", "some.csv", "--force", "--output", "fitted.json"],
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


WRITTEN = "fitted.json", "page/index.html"


def run(command, folder, **environment):
    """The exit status, what is said and written, and the errors."""
    files = [folder / name for name in WRITTEN]
    for file in files:
        file.unlink(missing_ok=True)
    done = subprocess.run(command, cwd=folder, env=dict(os.environ, LC_ALL="C", PATH="", **environment),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", timeout=100)
    written = [file.read_text() for file in files if file.exists()]
    return done.returncode, "".join([done.stdout, *written]), done.stderr


def points(count, of_places):
    """The allocations that fail."""
    return sorted({*of_places, *range(1, count + 1, max(count // OTHERS, 1))})


def troubles_of(command, folder, library):
    """What goes wrong, as texts, and how often the command refused to go on."""
    loaded = {"LD_PRELOAD": library, **(READS_MODEL if "model.json" in command else {})}
    usual = run(command, folder, NO_MEMORY_COUNT="count.txt", **loaded)
    count, *of_places = map(int, (folder / "count.txt").read_text().split())
    troubles, refused = [], 0
    for at in points(count, of_places):
        status, said, errors = run(command, folder, NO_MEMORY_AT=str(at), **loaded)
        if status == 1 and "memory" in errors or "out of memory" in said:
            refused += 1
        elif (status, said) != usual[:2]:
            troubles.append(f"{' '.join(command[1:])}, allocation {at} of {count}: exit status {status}, not "
                            f"{usual[0]}: {errors[-200:]}")
    return troubles, refused


def main():
    vebench, library = (os.path.abspath(word) for word in sys.argv[1:])
    troubles = []
    with open(outputs.HERE / "rows.csv", newline="", encoding="utf-8") as file:
        every = list(csv.DictReader(file))
    rows = outputs.of(every, "barrier", "latency")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        outputs.put(folder / "few.csv", outputs.results(rows, 1))
        outputs.put(folder / "some.csv", outputs.results(outputs.of(every, *FITTED), 1))
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
