"""`advise` agrees with the findings of a page.

Where a finding chooses between ways, `vebench advise`, on the model of the same rows, puts the same
one first. A finding that is in no table below fails the test: say there what advise has to do with
it. That the checks notice a contradiction is checked with advice that was changed."""

import re
import subprocess
import sys


def run(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def blocks(advice):
    """The lines of each question that advise answers: the best first, then what costs more."""
    block = []
    for line in advice.splitlines():
        if not line.startswith(" ") and block:
            yield block
            block = []
        block.append(line)
    yield block


def best(advice, question):
    """Variant and sub-group size that advise puts first; None where it does not say."""
    for block in blocks(advice):
        found = re.match(rf"{question}: best (\w+), sub-group (\d+)", block[0])
        if found:
            return found[1], int(found[2])
    return None


def barrier(finding, advice):
    return best(advice, "work_group_local") == ("work_group_local", int(finding[1]))


def shuffle(finding, advice):
    """ "in registers", maybe "at sub-groups of 8; through shared local memory at 16 and 32" """
    first = best(advice, "shuffle_u32")
    if not first:
        return False
    through_memory = [int(size) for size in re.findall(r"\d+", finding[1].partition(";")[2])]
    return first[0].endswith("_slm") == (first[1] in through_memory)


def padding(finding, advice):
    """Plain loads and stores with that stride come behind padded ones."""
    seen = 0
    for block in blocks(advice):
        for plain in ("load", "store"):
            text = "\n".join(block)
            if f"stride={finding[1]}" in block[0] and f" {plain}," in text:
                seen += 1
                if not 0 <= text.find(f"{plain}_padded,") < text.find(f" {plain},"):
                    return False
    return seen > 0


def one_path(_finding, advice):
    """The advice has the same figure, by its fit."""
    found = re.search(r"flat_divergent, .*: a further path costs (\S+) \[(\S+),", advice)
    return found is not None and float(found[2]) > 0


def other_size(found):
    return found[1] + ("8" if found[2] != "8" else "32")


def other_way(found):
    return found[1] + ("," if found[2] else "_slm,")


# A finding, the family whose advice is about the same, how they agree, and what in the advice, if it
# is replaced, contradicts the finding.
CHOICES = (
    (r"If barriers matter, ask for sub-groups of (\d+)\.", "barrier", barrier,
     (r"(best work_group_local, sub-group )(\d+)", other_size)),
    (r"Shuffle in registers, by sub-group functions(.*)\.", "exchange", shuffle,
     (r"(shuffle_u32: best shuffle_u32)(_slm)?,", other_way)),
    (r"Avoid a stride of (\d+) words in shared local memory; pad.*", "slm", padding,
     (r"_padded,", "_padded_last,")),
    (r"Keep the lanes of a sub-group on one path\.", "divergence", one_path,
     (r"path costs \S+ \[", "path costs -1 [-")),
)

# These say how much of something to use; advise ranks ways to do one thing.
NO_CHOICES = (
    "Let the lanes of a sub-group load neighbouring elements",
    "Give each Xe-core at least",
    "Fence global memory at a barrier only if",
    "Keep fewer 32-bit values alive",
    "Spread atomics over several cells",
    "Keep the data small",
)


def findings(report):
    for line in report.splitlines():
        found = re.match(r" *\d+\. (.*?) Seen with ", line)
        if found:
            yield found[1]


def contradicts(pattern, check, finding, advice):
    return not check(re.fullmatch(pattern, finding), advice)


def disagreements(vebench, result, report, model):
    """Of a result, what `report` printed of it, and its model."""
    problems, compared = [], 0
    for finding in findings(report):
        if finding.startswith(NO_CHOICES):
            continue
        choices = [choice for choice in CHOICES if re.fullmatch(choice[0], finding)]
        if not choices:
            problems.append(f'{result.name}: "{finding}" is in no table of this test')
            continue
        pattern, family, check, (words, others) = choices[0]
        advice = run(vebench, "advise", model, "--family", family, result)
        compared += 1
        if contradicts(pattern, check, finding, advice):
            problems.append(f'{result.name}: advise contradicts "{finding}":\n{advice}')
        if not contradicts(pattern, check, finding, re.sub(words, others, advice)):
            problems.append(f'{result.name}: a contradiction of "{finding}" is not noticed')
    if compared < 3:
        problems.append(f"{result.name}: only {compared} findings choose a way")
    return problems
