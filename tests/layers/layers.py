#!/usr/bin/env python3
"""Draws the graph of the libraries in layers.txt, from the includes of their sources and the symbols
of their objects, and fails on an arrow that the table does not allow, or allows for nothing.

    layers.py TREE BUILD        checks the tree
    layers.py --dot TREE BUILD  writes the graph for Graphviz
"""
import fnmatch
import json
import os
import re
import subprocess
import sys
from collections import defaultdict

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'layers.txt')
ROOTS = ['emulator', 'harness', 'include']  # that includes count from
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


class Layers:
    """The table: libraries in order, the folder of each, and what it may know."""

    def __init__(self, path):
        self.folders, self.allowed, self.errors = {}, {}, []
        self.declaring, self.interposing, self.forbidden = set(), set(), {}
        self.spoken = []
        for line in read(path).replace('\\\n', '').splitlines():
            fields = line.split('#')[0].split()
            if not fields:
                continue
            if fields[0] == '-':
                for library in fields[2:]:
                    self.forbidden[library] = set(fields[1].split(','))
                continue
            if fields[0] == '=':
                self.spoken.append((fields[1].split(','), fields[2:]))
                continue
            library, folder, known = fields[0].rstrip('+*'), fields[1], fields[2:]
            if fields[0].endswith('*'):
                self.interposing.add(library)
            if fields[0].endswith('+'):
                self.declaring.add(library)
            for other in known:
                if other not in self.folders:
                    self.errors.append(f'layers.txt: {library} may know {other}, which does not '
                                       'stand above it')
            self.folders[library], self.allowed[library] = folder, known

    def strangers(self, path, name):
        """Where a name in a string of this file belongs, if it does not belong there."""
        for patterns, places in self.spoken:
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns) and \
                    not any(path == place or path.startswith(place + '/') for place in places):
                yield ' or '.join(places)

    def library_of(self, path):
        """The library with the innermost folder that holds the file, None if none does."""
        inside = [r for r, f in self.folders.items() if path.startswith(f + '/')]
        return max(inside, key=lambda r: len(self.folders[r]), default=None)


class Graph:
    """Arrows between libraries, each with what makes it, and uses of forbidden names."""

    def __init__(self):
        self.arrows, self.forbidden = defaultdict(set), []

    def add(self, source, target, why):
        if source and target and source != target:
            self.arrows[source, target].add(why)


def sources(tree):
    for root in ROOTS:
        for folder, _, names in os.walk(os.path.join(tree, root)):
            for name in names:
                if name.endswith(('.c', '.h')):
                    yield os.path.relpath(os.path.join(folder, name), tree)


def find_included(tree, source, name):
    for folder in [os.path.dirname(source)] + ROOTS:
        path = os.path.normpath(os.path.join(folder, name))
        if os.path.exists(os.path.join(tree, path)):
            return path
    return None


def add_includes(graph, layers, tree):
    for source in sources(tree):
        for line in read(os.path.join(tree, source)).splitlines():
            match = INCLUDE.match(line)
            included = match and find_included(tree, source, match[1])
            if included:  # what is not found is generated
                graph.add(layers.library_of(source), layers.library_of(included),
                          f'{source} includes {match[1]}')


def strings(text):
    """The string literals of C source."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*', '', text.replace("'\"'", ''), flags=re.DOTALL)
    return re.findall(r'"((?:[^"\\\n]|\\.)*)"', text)


def add_names(graph, layers, tree):
    for source in sources(tree):
        for name in strings(read(os.path.join(tree, source))):
            for place in layers.strangers(source, name):
                graph.forbidden.append(f'{source} says "{name}", which belongs to {place}')


def objects(layers, tree, build):
    """Library, source and path of each object that has been built from the sources of a library."""
    for unit in json.loads(read(os.path.join(build, 'compile_commands.json'))):
        source = os.path.relpath(os.path.join(unit['directory'], unit['file']), tree)
        path = os.path.join(unit['directory'], unit.get('output', ''))
        library = layers.library_of(source)
        if library and os.path.exists(path):
            yield library, source, path


def symbols(paths):
    """For each object, names that it defines for others, and those that it takes from others."""
    found = {path: (set(), set()) for path in paths}
    out = subprocess.run(['nm', '-A', '-g', '-P', *found], stdout=subprocess.PIPE, text=True,
                         check=True)
    for line in out.stdout.splitlines():
        path, rest = line.split(': ', 1)
        name, kind = rest.split()[:2]
        found[path][kind in 'Uw'].add(name)
    return found


def declared(layers, tree):
    """The names that libraries declare for others to define, with these libraries."""
    names = {}
    for source in sources(tree):
        library = layers.library_of(source)
        if library in layers.declaring:
            text = re.sub(r'/\*.*?\*/', '', read(os.path.join(tree, source)), flags=re.DOTALL)
            names.update((name, library) for name in re.findall(r'\b(\w+)[(\[]', text))
    return names


def add_symbols(graph, layers, tree, build):
    built = list(objects(layers, tree, build))
    found = symbols(path for _, _, path in built) if built else {}
    homes, public = defaultdict(set), declared(layers, tree)
    for library, _, path in built:
        for name in found[path][0] if library not in layers.interposing else ():
            homes[name].add(public.get(name, library))
    for library, source, path in built:
        for name in found[path][1] & layers.forbidden.get(library, set()):
            graph.forbidden.append(f'{source} uses {name}, which {library} may not')
        for name in found[path][1]:
            if len(homes[name]) == 1:  # programs of their own may share a name: main
                graph.add(library, *homes[name], f'{source} uses {name}')
    return len(built)


def check(layers, graph):
    errors = layers.errors + graph.forbidden
    for (source, target), why in sorted(graph.arrows.items()):
        if target not in layers.allowed[source]:
            examples = sorted(why)
            more = f' and {len(examples) - 5} more' if len(examples) > 5 else ''
            errors.append(f'{source} must not know {target}: ' + '; '.join(examples[:5]) + more)
    for source, known in layers.allowed.items():
        errors += [f'layers.txt: {source} may know {target}, but does not'
                   for target in known if (source, target) not in graph.arrows]
    return errors


def draw(layers, graph):
    print('digraph libraries {')
    for source, target in sorted(graph.arrows):
        print(f'  "{source}" -> "{target}";')
    print('}')


def graph_of(layers, tree, build):
    graph = Graph()
    add_includes(graph, layers, tree)
    add_names(graph, layers, tree)
    if not add_symbols(graph, layers, tree, build):
        sys.exit(f'no object of any library has been built in {build}')
    return graph


def main(arguments):
    dot = arguments[:1] == ['--dot']
    tree, build = arguments[dot:]
    layers = Layers(TABLE)
    graph = graph_of(layers, tree, build)
    if dot:
        return draw(layers, graph)
    errors = check(layers, graph)
    for error in errors:
        print(error, file=sys.stderr)
    sys.exit(1 if errors else 0)


if __name__ == '__main__':
    main(sys.argv[1:])
