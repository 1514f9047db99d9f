#!/usr/bin/env python3
"""outputs.py [--write] VEBENCH [quick|emulated]: what the commands that judge results say, to the letter.

outputs/rows.csv are rows of a model of an Arc A380. From these the test makes results in which something is
planted (a slower driver, slow GPUs in a fleet, one that becomes slower), with noise that is the same each time,
runs fit, check, advise, compare, report, fleet and plausible on them, and holds all that they write against
outputs/NAME.txt; of a report's many files, only digests. Any change of a result is seen, wanted or not. After a
change that is wanted

    tests/results/outputs.py --write build/harness/vebench

makes the files anew, and `git diff` shows what has become different."""

import csv
import difflib
import hashlib
import itertools
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "outputs"
FAMILIES = ("barrier", "exchange", "collective", "memory_32", "slm", "atomics", "latency", "matmul", "launch")
ROUNDS = 12
CLOCK_MHZ, XE_CORES, PEAK_GB_PER_S = 2450.0, 8, 186.0
DIFFERENCES_SHOWN = 40
LONGEST, SHOWN_OF_LONG = 40000, 2000
FULL = "/dev/full"
# What stands in for rsvg-convert: one that says what it was asked for, and one that fails.
CONVERTERS = {"converter": 'echo "$@" > "$4"', "broken": "exit 3"}
FILES = 12  # open at a time
MANY = 301
# In front of the tables, the fleet's and the report's: where the program is, what time it is; and which devices
# are described
VARIES = re.compile(r"\b\d{4}-\d\d-\d\dT[\d:]+Z|\b0\.\d+\.\d+(\+\w+)?\b|(?<=name one of )a380, .*(?=, or a path)")

DEVICE = {
    "device_kind": "hardware", "device_name": "Intel(R) Arc(TM) A380 Graphics", "device_uuid": "0", "driver_version":
    "1.3.24595", "clock_mhz": f"{CLOCK_MHZ:g}", "samples": str(ROUNDS), "verified": "1", "host": "node",
    "xe_cores": str(XE_CORES), "threads_per_xe_core": "128", "peak_gb_per_s": f"{PEAK_GB_PER_S:g}",
}


class Noise:
    """Reproducible, nearly normal numbers of standard deviation 1: sums of twelve uniform ones (Irwin and Hall)."""

    def __init__(self, seed):
        self.uniform = random.Random(seed)

    def next(self):
        return sum(self.uniform.random() for _ in range(12)) - 6.0


def measured(row, noise, share, factor):
    """The row as measured with a standard error of that share of its loop, for each unit of work, on a device slower
    by that factor."""
    row = dict(DEVICE, **row)
    if not row["value"]:
        return dict(row, samples="0", verified="", ns_mean="", ci95_lo_ns="", ci95_hi_ns="")
    loop = float(row["loop_ns"] or row["value"])
    error = share * loop / float(row["work_units"] or 1)
    value = factor * float(row["value"]) + error * noise.next()
    half = 1.96 * error
    is_time = row["unit"].startswith("ns")
    row.update(value=f"{value:.7g}", ns_mean=f"{value:.7g}" if is_time else "",
               ci95_lo_ns=f"{value - half:.7g}" if is_time else "", ci95_hi_ns=f"{value + half:.7g}" if is_time else "")
    if row["loop_ns"]:
        loop *= factor
        row["loop_ns"] = f"{loop:.7g}"
        row.update(rates(row, loop))
    return row


def rates(row, loop_ns):
    """The columns that follow from others (docs/csv.md)."""
    made = {}
    if row["work_bytes"]:
        gb_per_s = float(row["work_bytes"]) / loop_ns
        made["gb_per_s"] = f"{gb_per_s:.7g}"
        made["bytes_per_clock_per_xe_core"] = f"{gb_per_s * 1000.0 / CLOCK_MHZ / XE_CORES:.7g}"
        made["peak_fraction"] = f"{gb_per_s / PEAK_GB_PER_S:.7g}"
    if row["work_flops"]:
        made["gflop_per_s"] = f"{float(row['work_flops']) / loop_ns:.7g}"
    if row["work_lines"] and row["work_messages"]:
        made["lines_per_message"] = f"{float(row['work_lines']) / float(row['work_messages']):.7g}"
    return made


def results(rows, seed, share=0.004, slower=lambda row: 1.0, **device):
    noise = Noise(seed)
    return [dict(measured(row, noise, share, slower(row)), **device) for row in rows]


def samples(rows, seed, slower=lambda row: 1.0):
    """Launches of rows whose variant is a slope: some iterations, and three times as many."""
    noise = Noise(seed)
    made = []
    for row in rows:
        if not row["loop_ns"]:
            continue
        for number in range(ROUNDS):
            for iterations in (1000, 3000):
                ns = 5000.0 + iterations * slower(row) * float(row["loop_ns"]) * (1.0 + 0.003 * noise.next())
                made.append(dict({key: row[key] for key in ("benchmark", "variant", "subgroup_size", "workgroup_size",
                                                            "workgroup_count", "parameters")},
                                 round=str(number), iterations=str(iterations), ns=f"{ns:.7g}", observed=""))
    return made


def put(path, rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    path.parent.mkdir(exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, names, restval="")
        table.writeheader()
        table.writerows(rows)


def of(rows, *families):
    return [row for row in rows if row["benchmark"] in families]


def with_troubles(rows):
    """Two runs at two clocks, with rows that failed, are noisy or wrong, and a few rounds."""
    for number, row in enumerate(rows):
        row["run_id"], row["seed"] = ("first", "1") if number < len(rows) / 2 else ("second", "2")
        if number % 5 == 0:
            row["clock_mhz"] = "2400"
        if number % 6 == 0:
            row["samples"] = "4"
        if number % 7 == 0:
            row.update(status="failed", verified="0", reason=f"lane {number} of 16 is <wrong>")
        elif number % 11 == 0:
            row.update(status="unreliable", reason="the clock moved by 12 %")
        elif number % 13 == 0:
            row["verified"] = ""
    return rows


def make_inputs(folder, rows):
    """The files that the commands below read."""
    def new_driver(row):
        return 1.02 * (1.12 if row["benchmark"] == "barrier" and "global" in row["variant"] else
                       0.8 if row["benchmark"] == "slm" else 1.0)

    few = of(rows, "barrier", "slm", "registers", "divergence")
    put(folder / "base.csv", results(rows, 1))
    put(folder / "new.csv", results(rows, 2, slower=new_driver))
    put(folder / "other-driver.csv", results(rows, 3, share=0.02, slower=lambda row: 1.01, driver_version="1.3.27642"))
    put(folder / "barrier.csv", results(of(rows, "barrier"), 5))
    put(folder / "divergence.csv", results(of(rows, "divergence"), 6))
    put(folder / "troubles.csv", with_troubles(results(of(rows, "barrier", "slm"), 7)))
    put(folder / "five-times.csv", results(few, 8, slower=lambda row: 5.0 if row["benchmark"] == "slm" else 1.0))
    put(folder / "emulated.csv", results(of(rows, "barrier", "divergence", "transpose"), 4, share=0.0, device_kind="emulated",
                                         device_name="Intel(R) Graphics [0x56a5]"))
    for run in range(3):
        put(folder / f"base-{run}.csv", results(few, 10 + run, slower=lambda row: 1.0 + 0.002 * run))
        put(folder / f"new-{run}.csv", results(few, 20 + run, slower=lambda row: new_driver(row) * (1.0 - 0.003 * run)))
    put(folder / "base-samples.csv", samples(few, 30))
    put(folder / "new-samples.csv", samples(few, 31, new_driver))
    # All runs of the second side take longer, each by another share, and each lacks other rows.
    for run in range(3):
        put(folder / f"shifted-{run}.csv", [row for number, row in enumerate(
            results(few, 40 + run, slower=lambda row: 1.03 + 0.004 * run)) if number % 17 != run])
    put(folder / "other-gpu.csv", results(rows, 9, slower=lambda row: 1.3, device_name="Intel(R) Arc(TM) A770 Graphics"))
    put(folder / "other-unit.csv", [dict(row, unit="ns/launch" if number == 3 else row["unit"])
                                    for number, row in enumerate(results(few, 10))])
    put(folder / "few-samples.csv", [row for row in samples(few, 32) if int(row["round"]) < 3 or row["subgroup_size"] == "16"])
    for name, script in CONVERTERS.items():
        (folder / name).mkdir()
        (folder / name / "rsvg-convert").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name / "rsvg-convert").chmod(0o755)
    make_fleets(folder, [row for row in of(rows, "slm", "device_arithmetic", "barrier") if row["subgroup_size"] == "16"
                         and row["workgroup_size"] in ("64", "256")])


def fleet_of(count, rows, day, share=0.002):
    """Nodes of two GPUs, 32 in each rack. Those of node 2 have a slow clock, the second one of node 4 slow SLM. The
    first of node 1 becomes slower, by a hundredth a day."""
    def slower(node, gpu):
        def of_row(row):
            if node == 2:
                return 1.06
            if (node, gpu) == (4, 1) and row["benchmark"] == "slm":
                return 1.3
            return 1.0 + 0.01 * day if (node, gpu) == (1, 0) else 1.0
        return of_row

    fleet = []
    for number in range(count):
        node, gpu = number // 2, number % 2
        fleet += results(rows, 100 * day + number, share=share, slower=slower(node, gpu), device_uuid=f"{node}-{gpu}",
                         host=f"r{node // 16}n{node:02}", pci_address=f"0000:{3 + gpu:02x}:00.0", rank=str(number))
    return fleet


def make_fleets(folder, rows):
    """64 GPUs on five days, and so many that the rate of those named wrongly is held, not their number."""
    for day in range(5):
        put(folder / f"day-{day}.csv", fleet_of(64, rows, day))
    for day in range(10):
        week = fleet_of(66, of(rows, "device_arithmetic", "barrier")[::3], day)
        put(folder / f"week-{day}.csv", [dict(row, time_utc=f"2026-03-{day + 1:02}T03:{int(row['rank']):02}:00Z") for row in week
                                         if day > 2 or row["rank"] not in ("5", "6")])
    put(folder / "many.csv", fleet_of(MANY, of(rows, "slm", "device_arithmetic")[::4], 4, share=0.006))


def digest(content, name):
    return f"{hashlib.sha256(content).hexdigest()[:16]} {name}\n"


def quick():
    """NAME and words; what several commands of one NAME say stands in one file. No emulator takes part."""
    runs = ["base-0.csv", "base-1.csv", "base-2.csv", "--", "new-0.csv", "new-1.csv", "new-2.csv"]
    ranks = ["--base-samples", "base-samples.csv", "--new-samples", "new-samples.csv"]
    yield "fit", ["fit", "base.csv", "--output", "model.json"]
    yield "check", ["check", "model.json", "other-driver.csv"]
    for family in FAMILIES:
        yield f"advise-{family}", ["advise", "model.json", "--family", family]
        yield f"advise-{family}", ["advise", "model.json", "--family", family, "base.csv"]
    yield "compare", ["compare", "base.csv", "new.csv"]
    yield "compare-markdown", ["compare", "base-0.csv", "new-0.csv", "--format", "markdown", "--time-unit", "cycles"]
    yield "compare-csv", ["compare", "base.csv", "new.csv", "--format", "csv", "--all"]
    yield "compare-runs", ["compare", "--all", *runs]
    yield "compare-ranks", ["compare", "base-0.csv", "new-0.csv", "--format", "csv", *ranks]
    yield "compare-json", ["compare", "base-0.csv", "new-0.csv", "--format", "json"]
    yield "compare-shifted", ["compare", "--all", *runs[:4], "shifted-0.csv", "shifted-1.csv", "shifted-2.csv"]
    yield "compare-shifted", ["compare", "--format", "csv", *runs[:4], "shifted-0.csv", "shifted-1.csv"]
    yield "compare-shifted", ["compare", "--format", "csv", "base-0.csv", "shifted-0.csv"]
    yield "compare-ranks", ["compare", "base-0.csv", "new-0.csv", "--format", "csv", *ranks[:3], "few-samples.csv"]
    yield "compare-troubles", ["compare", "base-0.csv", "other-unit.csv"]
    yield "compare-troubles", ["compare", "base-0.csv", "troubles.csv", "--threshold", "5"]
    yield "advise-barrier", ["advise", "model.json", "--family", "barrier", "troubles.csv"]
    yield "compare-sizes", ["compare", "base.csv", "base.csv", "--sizes", "16,32", "--all"]
    yield "compare-sizes", ["compare", "base.csv", "base.csv", "--sizes", "16,8", "--format", "csv", "--all"]
    yield "report", ["report", "base.csv", "-v", "--output", "page"]
    yield "report-model", ["report", "barrier.csv", "--model", "model.json", "--output", "page-model"]
    yield "report-troubles", ["report", "troubles.csv", "-v", "--time-unit", "us", "--output", "page-troubles"]
    yield "report-sides", ["report", "base.csv", "new.csv", "--output", "page-sides"]
    yield "report-sides", ["report", "base-0.csv", "five-times.csv", "--output", "page-five"]
    yield "report-sides", ["report", "base.csv", "base.csv", "--output", "page-same"]
    yield "report-sides", ["report", "base.csv", "other-gpu.csv", "--output", "page-other"]
    yield "report-levels", ["report", "base.csv", "--model", "model.json", "--output", "page-levels"]
    for folder in CONVERTERS:
        yield "report-pictures", ["PATH=" + folder, "report", "barrier.csv", "--output", "page-" + folder]
    for form in ("table", "markdown", "csv", "openmetrics", "junit"):
        yield f"fleet-{form}", ["fleet", "day-4.csv", "--racks", "^r[0-9]+", "--format", form]
    yield "fleet-all", ["fleet", "day-4.csv", "--all"]
    yield "fleet-many", ["fleet", "many.csv"]
    yield "fleet-many", ["fleet", "many.csv", "--format", "csv", "--all"]
    yield "fleet-history", ["fleet", "--history", *(f"day-{day}.csv" for day in range(5))]
    yield "fleet-weeks", ["fleet", "--history", "--all", *(f"week-{day}.csv" for day in range(10))]
    yield "fleet-weeks", ["fleet", "--history", *(f"week-{day}.csv" for day in range(7))]
    yield "fleet-json", ["fleet", "day-4.csv", "--format", "json"]
    yield "plausible", ["plausible", "base.csv"]
    yield "plausible", ["plausible", "base.csv", "--format", "csv"]
    for command in (["advise", "model.json", "--family", "barrier"], ["compare", "base.csv", "new.csv", "--format", "csv"],
                    ["fleet", "day-4.csv", "--format", "csv"], ["plausible", "base.csv", "--format", "csv"]):
        yield "full-disk", [*command, ">", FULL]


def emulated():
    """The same, with an emulator that takes the place of figures that the model lacks, or of draws of them."""
    yield "fit-device", ["fit", "barrier.csv", "--output", "barrier.json", "--as-device", "fitted.device",
                         "--base", "a380"]
    yield "check-device", ["check", "barrier.json", "divergence.csv", "--base", "a380"]
    yield "predict-device", ["predict", "barrier.json", "--family", "barrier", "--base", "a380", "--axis",
                             "subgroup_size=16", "--axis", "workgroup_size=64"]
    yield "report-emulated", ["fit", "emulated.csv", "--output", "emulated.json"]
    yield "report-emulated", ["report", "emulated.csv", "-v", "--model", "emulated.json", "--output", "page-emulated"]


def written_by(folder, words):
    """What the command has put into files: texts as they are, the files of a report as digests."""
    text = ""
    for word in words:
        path = folder / word
        if path.is_dir():
            text += "".join(digest(file.read_bytes(), file.name) for file in sorted(path.iterdir()))
        elif path.suffix == ".device":
            text += path.read_text(encoding="utf-8")
    return text


def limit_files():
    """As many files open at a time as a command needs, fewer than some read."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))


def answer(vebench, folder, words):
    # Without a PATH there is no rsvg-convert: plots are SVG everywhere, and none takes the time of a PNG.
    environment = dict(os.environ, LC_ALL="C", PATH="")
    if words[0].startswith("PATH="):
        environment["PATH"] = str(folder / words[0][len("PATH="):])
        words = words[1:]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said, open(FULL, "w", encoding="utf-8") as full:
        is_full = words[-1] == FULL
        done = subprocess.run([vebench, *(words[:-2] if is_full else words)], cwd=folder, env=environment,
                              stdout=full if is_full else said, stderr=said, timeout=300, preexec_fn=limit_files)
        said.seek(0)
        text = f"exit status {done.returncode}\n{said.read()}{written_by(folder, words)}"
    text = VARIES.sub("VARIES", text)
    return text if len(text) <= LONGEST else text[:SHOWN_OF_LONG] + "...\n" + digest(text.encode(), "all of this")


def differences(path, said):
    expected = path.read_text(encoding="utf-8").splitlines()
    return list(difflib.unified_diff(expected, said.splitlines(), path.name, "now", lineterm="", n=0))


def main():
    words = sys.argv[1:]
    write = words[0] == "--write" and bool(words.pop(0))
    vebench = os.path.abspath(words[0])
    chosen = [{"quick": quick, "emulated": emulated}[name] for name in words[1:]] or [quick, emulated]
    said = {}
    with open(HERE / "rows.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_inputs(folder, rows)
        for name, command in itertools.chain(*(commands() for commands in chosen)):
            said[name] = said.get(name, "") + f"$ vebench {' '.join(command)}\n" + answer(vebench, folder, command)
    failed = False
    for name, text in said.items():
        path = HERE / f"{name}.txt"
        if write:
            path.write_text(text, encoding="utf-8")
            continue
        different = differences(path, text)
        failed = failed or bool(different)
        print(*different[:DIFFERENCES_SHOWN], sep="\n", end="\n" if different else "")
    sys.exit(failed)


if __name__ == "__main__":
    main()
