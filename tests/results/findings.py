#!/usr/bin/env python3
"""findings.py DOCS SENTENCES VEBENCH: docs/findings.md says what the rows in docs/results say.

A line of SENTENCES is a sentence of the document, or a part of one, with a selector in braces in place of each
figure. The figures are taken from the rows, and the document has to have the sentence that results. Selectors:

  {DEVICE FAMILY VARIANT SIZE GROUP [AXIS=VALUE...] [COLUMN] [.DIGITS]}
      the `ok` row of that sub-group size in emulated/DEVICE.csv or emulated/further/DEVICE.csv. SIZE may be
      several (8/16/32); GROUP is the work-group's size, S for one sub-group, xN for N of them; COLUMN is
      `cycles` unless another is named, or the product of several (a*b); DIGITS are those behind the point.
      VARIANT may be a sum, a difference or a quotient of two
  the same with two things, compared by < or ~ in one of the words: a verdict, which leaves no text behind.
      x<y: x takes at least 5 % less; x~y: they are alike, within 5 %. In `gb_per_s` and the like
      x<y says that x is lower
  {accuracy MECHANISM median|worst}  its deviation from hardware in accuracy.md
  {draws DEVICE FEW_WORDS}           in how many draws of the assumed figures the report's finding holds

Every figure of the document has to be in one of the sentences, but for powers of two, which are sizes.
Altered figures and verdicts turned round show that the check can fail."""

import csv
import pathlib
import re
import subprocess
import sys
import tempfile

MARGIN = 0.05  # less than this is no difference, as for the report
SELECTOR = re.compile(r"\{([^}]*)\}")
INTERVAL = re.compile(r"\[[-.\d]+,\s+[-.\d]+\]")
FIGURE = re.compile(r"(?<![\w.×-])\d+(?:\.\d+)?(?![\w×])")


def flat(text):
    """Without line breaks, emphasis and list marks: what a reader reads."""
    return re.sub(r"\s+", " ", re.sub(r"^\s*- ", " ", text.replace("**", ""), flags=re.M))


class Results:
    """Rows by device, family and variant, deviations and findings, each read once."""

    def __init__(self, docs, vebench):
        self.docs, self.vebench, self.rows, self.reports = docs, vebench, {}, {}
        table = re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \| ([^|]*) \|$", (docs / "accuracy.md").read_text(), re.M)
        self.accuracy = {name: {"median": median, "worst": worst} for name, median, worst in table}

    def of_device(self, device):
        if device not in self.rows:
            emulated = self.docs / "results" / "emulated"
            self.rows[device] = {}
            for path in (emulated / f"{device}.csv", emulated / "further" / f"{device}.csv"):
                with open(path, newline="") as file:
                    for row in csv.DictReader(file):
                        if row["status"] == "ok":
                            self.rows[device].setdefault((row["benchmark"], row["variant"]), []).append(row)
        return self.rows[device]

    def draws(self, device, words):
        if device not in self.reports:
            with tempfile.TemporaryDirectory() as folder:
                # -v: the numbers behind the findings, with their intervals
                said = subprocess.run(
                    [self.vebench, "report", "-v", self.docs / "results" / "emulated" / f"{device}.csv", "-o",
                     pathlib.Path(folder) / "page"], check=True, stdout=subprocess.PIPE, text=True).stdout
            if not INTERVAL.search(said):
                raise ValueError(f"the report of {device} has no interval")
            self.reports[device] = said
        findings = [flat(part) for part in re.split(r"^\s*\d+\. ", self.reports[device], flags=re.M)]
        (finding,) = [finding for finding in findings if words.replace("_", " ") in finding]
        return re.search(r"[Hh]olds in (\d+ of \d+) draws", finding)[1]

    def row(self, device, family, variant, size, group, axes):
        size_of_group, _, count = group.partition("x")
        wanted = {"subgroup_size": size, "workgroup_size": size if size_of_group == "S" else size_of_group}
        if count:
            wanted["workgroup_count"] = count
        found = [row for row in self.of_device(device).get((family, variant), [])
                 if all(row[name] == value for name, value in wanted.items())
                 and axes <= set(row["parameters"].split())]
        if len(found) != 1:
            raise LookupError(f"{len(found)} rows of {device} {family} {variant}, {size} lanes, {group} {axes}")
        return found[0]

    def figure(self, words, size):
        device, family, variant, _, group, *rest = words
        axes = {word for word in rest if "=" in word}
        (column,) = [word for word in rest if "=" not in word and word[0] != "."] or ["cycles"]
        names = re.split(r"([-+/])", variant)

        def of(name):
            product = 1.0
            for factor in column.split("*"):
                product *= float(self.row(device, family, name, size, group, axes)[factor])
            return product

        if len(names) == 1:
            return of(variant)
        left, operation, right = names
        return {"-": float.__sub__, "+": float.__add__, "/": float.__truediv__}[operation](of(left), of(right))

    def figures(self, words):
        return [self.figure(words, size) for size in words[3].split("/")]


def sides(words):
    """The two selectors of a verdict, and its sign; None if it is none."""
    for place, word in enumerate(words):
        for sign in "<~":
            left, found, right = word.partition(sign)
            if found:
                return (words[:place] + [left] + words[place + 1:], words[:place] + [right] + words[place + 1:], sign)
    return None


def holds(left, right, sign):
    if sign == "<":
        return left < right * (1.0 - MARGIN)
    return abs(left - right) <= MARGIN * max(left, right)


def verdict(results, selector):
    """Whether it holds, and whether it would not if it were false."""
    left, right, sign = sides(selector.split())
    pairs = list(zip(*(results.figures(side) for side in (left, right))))
    is_true = all(holds(*pair, sign) for pair in pairs)
    can_fail = not any(holds(b, a, sign) if sign == "<" else holds(a * 1.2, b, sign) for a, b in pairs)
    return is_true, is_true and can_fail, pairs


def texts(results, selector):
    """What stands in the document, then the same with each figure off by one in its last place."""
    words = selector.split()
    if words[0] == "accuracy":
        said = results.accuracy[words[1]][words[2]].replace(" %", "")
        return [said, str(int(said) + 1)]
    if words[0] == "draws":
        said = results.draws(*words[1:])
        return [said, "1" + said]
    digits = int(([word[1:] for word in words if word[0] == "."] or ["0"])[0])
    values = results.figures(words)
    said = [[value + (0.1 ** digits if place == changed else 0.0) for place, value in enumerate(values)]
            for changed in (None, *range(len(values)))]
    return [" / ".join(f"{round(value, digits) + 0.0:.{digits}f}" for value in values) for values in said]


def render(results, sentence):
    """The sentence as the document has to have it, and those that it must not have."""
    parts = SELECTOR.split(sentence)
    said = [[part] if place % 2 == 0 else [""] if sides(part.split()) else texts(results, part)
            for place, part in enumerate(parts)]

    def join(changed=None, to=0):
        return flat("".join(choices[to if place == changed else 0] for place, choices in enumerate(said)))

    return join(), [join(place, to) for place, choices in enumerate(said) for to in range(1, len(choices))]


def check(results, sentence, document):
    """Problems, and what the document has of the sentence."""
    problems = []
    for selector in SELECTOR.findall(sentence):
        if sides(selector.split()):
            is_true, can_fail, pairs = verdict(results, selector)
            said = ", ".join(f"{left:.4g} and {right:.4g}" for left, right in pairs)
            if not is_true:
                problems.append(f"the rows do not say {selector}: {said}")
            elif not can_fail:
                problems.append(f"{selector} cannot fail: {said}")
    expected, altered = render(results, sentence)
    if expected not in document:
        problems.append(f"the document lacks: {expected}")
    problems += [f"the document has both: {expected}\n  and: {text}" for text in altered if text in document]
    return problems, expected


def unchecked(document, sentences):
    """Figures that no sentence has."""
    for sentence in sentences:
        document = document.replace(sentence, " ")
    figures = [found for found in FIGURE.finditer(document) if found[0] not in {str(2 ** k) for k in range(13)}]
    return [f"no sentence has: ...{document[max(0, figure.start() - 60):figure.end() + 20]}..." for figure in figures]


def main():
    docs, vebench = pathlib.Path(sys.argv[1]), sys.argv[3]
    results = Results(docs, vebench)
    document = flat((docs / "findings.md").read_text())
    lines = [line for line in pathlib.Path(sys.argv[2]).read_text().splitlines() if line and line[0] != "#"]
    problems, expected = [], []
    for line in lines:
        try:
            found, text = check(results, line, document)
            problems += found
            expected.append(text)
        except (LookupError, ValueError) as error:
            problems.append(f"{line}: {error}")
    expected.sort(key=len, reverse=True)
    problems = problems or unchecked(document, expected)
    if not unchecked(document + " It takes 123 cycles.", expected):
        problems.append("a figure that no sentence has is not found")
    selectors = sum(len(SELECTOR.findall(line)) for line in lines)
    print("\n".join(problems) or f"{selectors} figures and verdicts in {len(lines)} sentences")
    return 1 if problems or not selectors else 0


sys.exit(main())
