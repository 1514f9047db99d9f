#!/usr/bin/env python3
"""The test of folders, tested: one file too many has to be found."""
import os
import tempfile
import unittest

import folders


class Folders(unittest.TestCase):
    def errors(self, count, larger=()):
        with tempfile.TemporaryDirectory() as tree:
            os.makedirs(os.path.join(tree, 'harness', 'some'))
            for i in range(count):
                open(os.path.join(tree, 'harness', 'some', f'{i}.c'), 'w').close()
            open(os.path.join(tree, 'harness', 'some', 'data.bin'), 'w').close()
            return folders.check(tree, larger)

    def test_too_many(self):
        self.assertEqual(self.errors(40), [])
        self.assertEqual(self.errors(41), ['harness/some has 41 files of source: 40 at most'])

    def test_exceptions(self):
        self.assertEqual(self.errors(41, ['harness/some']), [])
        self.assertEqual(self.errors(40, ['harness/some']),
                         ['harness/some has 40 files of source: take it off the list'])


if __name__ == '__main__':
    unittest.main()
