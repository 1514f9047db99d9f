#!/usr/bin/env python3
"""The test of the layers, tested: arrows added to a copy of the tree have to be found.

    test-layers.py TREE BUILD COMPILER...
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import layers

TREE, BUILD, COMPILER = '', '', []


class AddedArrows(unittest.TestCase):
    def setUp(self):
        self.tree = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.tree)
        for root in layers.ROOTS:
            if os.path.isdir(os.path.join(TREE, root)):
                shutil.copytree(os.path.join(TREE, root), os.path.join(self.tree, root))
        self.build = os.path.join(self.tree, 'build')
        os.mkdir(self.build)
        units = json.loads(layers.read(os.path.join(BUILD, 'compile_commands.json')))
        for unit in units:  # the same objects, as if of the copy
            source = os.path.relpath(os.path.join(unit['directory'], unit['file']), TREE)
            unit['file'] = os.path.join(self.tree, source)
        self.write_units(units)

    def write_units(self, units):
        self.units = units
        with open(os.path.join(self.build, 'compile_commands.json'), 'w') as out:
            json.dump(units, out)

    def errors(self, table=layers.TABLE):
        libraries = layers.Layers(table)
        return layers.check(libraries, layers.graph_of(libraries, self.tree, self.build))

    def append(self, path, text):
        with open(os.path.join(self.tree, path), 'a') as out:
            out.write(text)

    def test_the_copy_is_in_order(self):
        self.assertEqual(self.errors(), [])

    def test_an_include_upwards(self):
        self.append('emulator/device/device.c', '#include "gpu/gpu.h"\n')
        self.assertEqual(self.errors(), ['device must not know gpu: emulator/device/device.c includes '
                                         'gpu/gpu.h'])

    def test_an_include_between_emulator_and_harness(self):
        self.append('emulator/gpu/gpu.c', '#include "family/axes.h"\n')
        self.append('harness/base/csv.c', '#include "isa/thread/thread.h"\n')
        self.assertEqual(self.errors(),
                         ['base must not know thread: harness/base/csv.c includes '
                          'isa/thread/thread.h',
                          'gpu must not know family: emulator/gpu/gpu.c includes family/axes.h'])

    def test_the_harness_knows_public_headers_alone(self):
        self.append('harness/predict/predict.c', '#include "streamer/cs.h"\n')
        self.assertEqual(self.errors(), ['predict must not know streamer: harness/predict/predict.c '
                                         'includes streamer/cs.h'])
        table = layers.Layers(layers.TABLE)
        for library, known in table.allowed.items():
            if table.folders[library].startswith('harness/'):
                inside = [r for r in known if table.folders[r].startswith('emulator/')]
                self.assertEqual(inside, [], f'{library} knows the inside of the emulator')

    def test_a_variable_named_in_a_string(self):
        self.append('harness/measure/rounds.c', 'const char *name = "VESIM_THREADS"; /* "vesim_x" */\n')
        self.append('emulator/gpu/gpu.c', 'const char *other = "VEBENCH_RANKS";\n')
        self.assertEqual(sorted(self.errors()),
                         ['emulator/gpu/gpu.c says "VEBENCH_RANKS", which belongs to harness',
                          'harness/measure/rounds.c says "VESIM_THREADS", which belongs to emulator or '
                          'harness/ze/emulator.c'])

    def compile(self, path, text):
        source, made = os.path.join(self.tree, path), os.path.join(self.build, 'extra.o')
        self.append(path, text)
        subprocess.run(COMPILER + ['-c', source, '-o', made], check=True)
        self.write_units(self.units + [{'directory': self.build, 'file': source,
                                        'output': made}])

    def test_a_function_used_without_a_header(self):
        self.compile('emulator/timing/extra.c', 'void gpu_destroy(void *);\n'
                     'void extra(void);\nvoid extra(void)\n{\n    gpu_destroy(0);\n}\n')
        self.assertEqual(self.errors(), ['timing must not know gpu: emulator/timing/extra.c uses '
                                         'gpu_destroy'])

    def test_a_name_that_the_library_leaves_to_its_clients(self):
        self.compile('emulator/gpu/extra.c', '#include <stdlib.h>\nchar *extra(void);\n'
                     'char *extra(void)\n{\n    return getenv("VESIM_THREADS");\n}\n')
        self.assertEqual(self.errors(), ['emulator/gpu/extra.c uses getenv, which gpu may not'])

    def test_an_arrow_that_nobody_uses(self):
        table = os.path.join(self.tree, 'layers.txt')
        shutil.copy(layers.TABLE, table)
        text = layers.read(table)
        with open(table, 'w') as out:
            out.write(text.replace('emulator/timing         vesim',
                                   'emulator/timing         thread vesim'))
        self.assertEqual(self.errors(table), ['layers.txt: timing may know thread, but does not'])

    def test_a_table_with_a_way_round(self):
        table = os.path.join(self.tree, 'layers.txt')
        with open(table, 'w') as out:
            out.write('device emulator/device gpu\ngpu emulator/gpu device\n')
        self.assertEqual(layers.Layers(table).errors,
                         ['layers.txt: device may know gpu, which does not stand above it'])


if __name__ == '__main__':
    TREE, BUILD, COMPILER = sys.argv[1], sys.argv[2], sys.argv[3:]
    unittest.main(argv=sys.argv[:1])
