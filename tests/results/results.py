#!/usr/bin/env python3
"""results.py VEBENCH DOCS_RESULTS [NAME...]: every result in docs/results is read by this version.

Each CSV there can be made a page of, held against published figures (README.md explains those out of
line) and fitted. If some are named, such as a380, this is done with them alone, without the page, which takes
the longest: findings.py makes that of the same results. Its name and its rows agree on whether it is
emulated; README.md names it and its picture exists. A file without one of its required columns shows
that the commands do refuse what they cannot read."""

import csv
import pathlib
import re
import subprocess
import sys
import tempfile


def run(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


UNPUBLISHED = "no published figure is known of"


def commands(vebench, result, folder):
    """What is done with a result."""
    return (
        [vebench, "report", "-v", result, "-o", folder / "page"],
        [vebench, "plausible", result],
        [vebench, "fit", result, "-o", folder / "model.json"],
    )


FOUND = 3  # plausible: a figure is out of line


def out_of_line(said):
    """The figures, such as "Arc A770, fp16 vec4"."""
    return [line.split("  ")[0] for line in said.splitlines() if "OUT OF LINE" in line]


def is_read(words, status, said, readme=""):
    """Of some devices nobody has published a figure, which plausible says once it has the rows. A
    figure out of line has to be explained by README.md."""
    if words[1] == "report":  # -v: the numbers behind the findings, with their intervals
        return status == 0 and re.search(r"\[[-.\d]+,\s+[-.\d]+\]", said) is not None
    if words[1] != "plausible":
        return status == 0
    figures = out_of_line(said)
    is_explained = bool(figures) and all(figure in readme for figure in figures)
    return status == 0 or UNPUBLISHED in said or (status == FOUND and is_explained)


def is_below_zero(row):
    """On an emulated device nothing is noisy, but some baselines do what their variants do not."""
    return row["status"] == "unreliable" and row["reason"].startswith("faster than its baseline")


def check(vebench, result, readme, left_out):
    """`left_out`: the commands that are not tried."""
    problems = []
    with open(result, newline="") as file:
        rows = list(csv.DictReader(file))
    kinds = {row["device_kind"] for row in rows}
    is_emulated = result.parent.name == "emulated"
    if not rows or kinds != {"emulated" if is_emulated else "hardware"}:
        problems.append(f"{result}: rows of kind {kinds or 'none'} in {result.parent.name}/")
    bad = sum(row["status"] in ("failed", "unreliable") and not is_below_zero(row) for row in rows)
    if bad and is_emulated:
        problems.append(f"{result}: {bad} rows are failed or unreliable")
    if f"{result.parent.name}/{result.name}" not in readme:
        problems.append(f"{result}: README.md does not name it")
    if not result.with_suffix(".svg").is_file():
        problems.append(f"{result}: there is no picture {result.stem}.svg")
    with tempfile.TemporaryDirectory() as folder:
        for words in commands(vebench, result, pathlib.Path(folder)):
            if words[1] in left_out:
                continue
            status, said = run(*words)
            if not is_read(words, status, said, readme):
                problems.append(f"{words[1]} {result}: status {status}\n{said}")
    return problems


def check_refusal(vebench, result):
    """The same result without the column `value`."""
    with open(result, newline="") as file:
        rows = list(csv.reader(file))
    place = rows[0].index("value")
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        damaged = pathlib.Path(folder) / "damaged.csv"
        with open(damaged, "w", newline="") as file:
            csv.writer(file).writerows(row[:place] + row[place + 1:] for row in rows)
        for words in commands(vebench, damaged, pathlib.Path(folder)):
            if is_read(words, *run(*words)):
                problems.append(f"{words[1]} takes a result without the column `value`")
    return problems


def main():
    vebench, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    results = sorted(folder.glob("*/*.csv"))
    readme = (folder / "README.md").read_text()
    problems = [] if results else [f"{folder} has no results"]
    for result in results:
        left_out = ("report",) if result.stem in names else ("report", "plausible", "fit") if names else ()
        problems += check(vebench, result, readme, left_out)
    if results:
        problems += check_refusal(vebench, results[0])
    print("\n".join(problems) or f"{len(results)} results")
    return 1 if problems else 0


sys.exit(main())
