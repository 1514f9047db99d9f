#!/usr/bin/env python3
"""The test of family names, tested: names put where they do not belong have to be found."""
import importlib.util
import pathlib
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SPEC = importlib.util.spec_from_file_location("family_names", HERE / "family-names.py")
FAMILY_NAMES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(FAMILY_NAMES)


class Names(unittest.TestCase):
    def found(self, path, line):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "harness" / path
            file.parent.mkdir(parents=True)
            file.write_text(line + "\n")
            return len(list(FAMILY_NAMES.offences(pathlib.Path(folder), ["slm", "memory_8"])))

    def test_other_rooms(self):
        self.assertEqual(self.found("model/fit.c", 'if (!strcmp(r->benchmark, "slm"))'), 1)
        self.assertEqual(self.found("report/plots.c", 'model_find(m, "slm.%s.simd%u", v, s)'), 1)
        self.assertEqual(self.found("model/fit.c", '"vebench run slm --preset full"'), 1)
        self.assertEqual(self.found("cli/options.c", '"vebench run slm"'), 0)
        self.assertEqual(self.found("cli/bench.c", '{"slm", "--axis"}'), 0)
        self.assertEqual(self.found("cli/bench.c", '"slm.banks"'), 1)
        self.assertEqual(self.found("model/fit.c", '/* as in slm */ f("slm_latency");'), 0)

    def test_own_files(self):
        self.assertEqual(self.found("families/slm/slm.c", '.name = "slm",'), 0)
        self.assertEqual(self.found("families/slm/slm-model.c", '"slm.banks", "vebench run slm"'), 0)
        self.assertEqual(self.found("families/memory/memory-model.c", '"memory_8.%s"'), 0)

    def test_files_of_others(self):
        self.assertEqual(self.found("families/latency/latency-model.c", '"slm.banks"'), 1)
        self.assertEqual(self.found("families/latency/latency-model.c", '"run memory_8"'), 1)
        self.assertEqual(self.found("families/latency/latency-model.c", '.variant = "slm"'), 0)


if __name__ == "__main__":
    unittest.main()
