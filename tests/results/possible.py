#!/usr/bin/env python3
"""possible.py DOCS_RESULTS PEAKS REASONS [RESULTS.csv...]: no `ok` row of a result is impossible.

No rate is above the peak of the level of memory that serves it (peaks.txt), no cost lies below zero by more
than 1 % of the loop, and no variant beats the one that it is compared with, unless REASONS says why it may.
Rows that are made impossible show that each check can fail."""

import csv
import pathlib
import sys

BELOW_ZERO = 0.01  # of the loop, as measure/evaluate.c has it
ROUNDED = 0.002  # the timer's share in a rate without an interval of its own


def lines_of(path):
    with open(path) as file:
        return [line.rstrip() for line in file if line.strip() and not line.startswith("#")]


def peaks_of(path):
    peaks = {}
    for line in lines_of(path):
        name, figures = line[:line.rindex("]") + 1], line[line.rindex("]") + 1:].split()
        peaks[name] = [float(figure) for figure in figures]
    return peaks


def number(row, column):
    return float(row[column]) if row[column] else 0.0


def bytes_touched(row):
    """Of the launch: the working set if the family has one, else not known."""
    return dict(part.split("=") for part in row["parameters"].split()).get("working_set")


def levels(row, peaks):
    """The peaks, in GB/s, that the row's rate may not exceed, by level."""
    load_store, l3, l3_kib, memory = peaks
    clock = number(row, "clock_mhz") / 1000.0
    cores = min(number(row, "workgroup_count"), number(row, "xe_cores"))
    found = {"load-store unit": load_store * clock * cores}
    is_store = row["op"] in ("store", "write")
    if is_store and row["benchmark"] != "slm":  # stores go on to the L3
        found["L3"] = l3 * clock
    touched = bytes_touched(row)
    if touched and float(touched) >= 2 * 1024 * l3_kib and not row["benchmark"].startswith("atomics"):
        found["memory"] = memory
    return found


def slack(row):
    """Half the interval, as a share of the loop."""
    width = (number(row, "ci95_hi_ns") - number(row, "ci95_lo_ns")) / 2.0
    return ROUNDED + width * max(number(row, "work_units"), 1.0) / number(row, "loop_ns")


def rates(row, peaks):
    rate = number(row, "gb_per_s")
    if not rate:
        return
    for level, peak in levels(row, peaks).items():
        if rate > peak * (1.0 + slack(row)):
            yield f"{rate:.4g} GB/s, the {level} has {peak:.4g}"


def costs(row):
    if not row["baseline"] or not number(row, "loop_ns"):
        return
    loop = number(row, "loop_ns") / max(number(row, "work_units"), 1.0)
    if number(row, "ci95_hi_ns") < -BELOW_ZERO * loop * (1.0 + 1e-6):
        yield f"costs {row['value']} {row['unit']}"


def ratios(row, reasons):
    if not row["reference"] or not row["ratio"]:
        return
    if number(row, "ratio") * (1.0 + slack(row)) < 1.0 and (row["benchmark"], row["variant"]) not in reasons:
        yield f"takes {row['ratio']} times as long as {row['reference']}"


def problems_of(row, peaks, reasons):
    return [f"{row['benchmark']} {row['variant']}, {row['subgroup_size']} lanes, {row['workgroup_size']} x "
            f"{row['workgroup_count']}, {row['parameters']}: {said}"
            for said in (*rates(row, peaks), *costs(row), *ratios(row, reasons))]


def spoil(rows, peaks, reasons):
    """Each check refuses a row that it is about, made impossible."""
    def refused(row, **changes):
        return bool(problems_of(dict(row, **changes), peaks, reasons))

    rated = next(row for row in rows if row["benchmark"] == "memory_32" and row["op"] == "load")
    costly = next(row for row in rows if row["benchmark"] == "barrier" and row["op"] == "work_group_local")
    compared = next(row for row in rows if row["reference"] and (row["benchmark"], row["variant"]) not in reasons)
    return [name for name, is_refused in (
        ("rates", refused(rated, gb_per_s="1e5")),
        ("memory", refused(rated, gb_per_s="1e5", workgroup_count="1000", parameters="working_set=1000000000")),
        ("costs", refused(costly, ci95_hi_ns="-10000")),
        ("ratios", refused(compared, ratio="0.5"))) if not is_refused]


def main():
    results = sorted(pathlib.Path(sys.argv[1]).glob("*/*.csv")) + [pathlib.Path(path) for path in sys.argv[4:]]
    peaks = peaks_of(sys.argv[2])
    reasons = {tuple(line.split(":")[0].split()) for line in lines_of(sys.argv[3])}
    problems, used, checked = [], set(), 0
    for result in results:
        with open(result, newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["status"] == "ok"]
        device = rows[0]["device_name"]
        if device not in peaks:
            problems.append(f"{result}: peaks.txt lacks {device}")
            continue
        for row in rows:
            problems += [f"{result}: {said}" for said in problems_of(row, peaks[device], reasons)]
            if row["ratio"] and number(row, "ratio") < 1.0:
                used.add((row["benchmark"], row["variant"]))
            checked += 1
        problems += [f"{result}: the check of {name} cannot fail" for name in spoil(rows, peaks[device], reasons)]
    problems += [f"no row needs the reason for {' '.join(reason)}" for reason in sorted(reasons - used)]
    print("\n".join(problems) or f"{checked} rows of {len(results)} results")
    return 1 if problems or not checked else 0


sys.exit(main())
