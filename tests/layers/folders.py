#!/usr/bin/env python3
"""No folder of sources holds more files than one finds one's way in.

    folders.py TREE [FOLDER...]

The FOLDERs are larger and still to be divided: one that no longer is has to leave the list."""
import os
import sys

ROOTS = ['emulator', 'examples', 'gen', 'harness', 'include', 'spirv_kernels', 'tests']
MOST = 40
SOURCES = ('.c', '.h', '.cl', '.def', '.py')


def sizes(tree):
    for root in ROOTS:
        for folder, _, names in os.walk(os.path.join(tree, root)):
            yield os.path.relpath(folder, tree), sum(name.endswith(SOURCES) for name in names)


def check(tree, larger):
    found = dict(sizes(tree))
    errors = [f'{folder} has {count} files of source: {MOST} at most'
              for folder, count in sorted(found.items()) if count > MOST and folder not in larger]
    return errors + [f'{folder} has {found.get(folder, 0)} files of source: take it off the list'
                     for folder in larger if found.get(folder, 0) <= MOST]


def main(arguments):
    errors = check(arguments[0], arguments[1:])
    for error in errors:
        print(error, file=sys.stderr)
    sys.exit(1 if errors else 0)


if __name__ == '__main__':
    main(sys.argv[1:])
