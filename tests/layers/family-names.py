#!/usr/bin/env python3
"""The name of a benchmark family stands in the family's own files and nowhere else in the harness.

Usage: family-names.py ROOT FAMILY...

It looks at texts: "NAME", what begins with "NAME." (a parameter) and "vebench run NAME". A family's own
files are NAME.c and NAME-*.c in harness/families and its folders, and those of a group that its name
begins with, such as memory-model.c. A bare "NAME" is allowed in the files of another family, where it is
the field's word for a variant or a term, such as "latency"; in cli/, run/ and commands/, which name
families as a user does; and in audit/, job/ and watch/, which speak of machine code and of launches, and
may use no family (layers.txt)."""

import pathlib
import re
import sys

# Groups that go by another name than their families.
ALSO = {"bandwidth": "memory"}

SPEAKS_AS_USERS_DO = ("cli", "run", "commands")
SPEAKS_OF_CODE = ("families", "audit", "job", "watch")

TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


def is_own(path, name):
    group = path.stem.split("-")[0]
    group = ALSO.get(group, group)
    return "families" in path.parts and (name == group or name.startswith(group + "_"))


def offences(root, names):
    for path in sorted((root / "harness").rglob("*.[ch]")):
        library = path.relative_to(root / "harness").parts[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for text in TEXT.findall(line):
                for name in names:
                    named = text.startswith(name + ".")
                    named = named or (text == name and
                                      library not in SPEAKS_AS_USERS_DO + SPEAKS_OF_CODE)
                    named = named or (re.search(rf"\brun {name}\b", text) and
                                      library not in SPEAKS_AS_USERS_DO)
                    if named and not is_own(path, name):
                        yield f'{path.relative_to(root)}:{number}: "{text}" names family {name}'


def main():
    found = list(offences(pathlib.Path(sys.argv[1]), sys.argv[2:]))
    for offence in found:
        print(offence, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
