"""ReFrame tests: a preset of vebench and a job of one's own, with figures of merit.

    reframe -c vebench.py -r -S vebench=/path/to/vebench
    reframe -c vebench.py -n VebenchKernel -r -S job_file=/path/to/sum.yaml -S emulate=a380

Without `emulate` a GPU is measured. Rows are in the stage folder, results.csv; docs/csv.md has their
columns.
"""

import csv
import os

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import (deferrable, performance_function, run_after, run_before,
                                   sanity_function, variable)


class VebenchBase(rfm.RunOnlyRegressionTest):
    valid_systems = ['*']
    valid_prog_environs = ['*']
    vebench = variable(str, value='vebench')
    emulate = variable(str, value='')  # a modelled device, such as a380
    rows_file = 'results.csv'

    @run_after('init')
    def set_command(self):
        self.executable = self.vebench
        self.executable_opts = self.words() + ['--output', self.rows_file]
        if self.emulate:
            self.executable_opts += ['--emulate', self.emulate]

    @deferrable
    def rows(self):
        with open(os.path.join(self.stagedir, self.rows_file), newline='') as file:
            return list(csv.DictReader(file))

    def good(self):
        return [row for row in self.rows().evaluate() if row['status'] == 'ok' and row['value']]

    @sanity_function
    def check_rows(self):
        failed = [row['reason'] for row in self.rows().evaluate() if row['status'] == 'failed']
        return sn.all([sn.assert_eq(failed, [], 'failed: {0}'),
                       sn.assert_gt(len(self.good()), 0, 'nothing was measured')])


@rfm.simple_test
class VebenchPreset(VebenchBase):
    """One figure for each variant: the least time over its configurations."""

    descr = 'a preset of families of vebench'
    families = variable(str, value='barrier')
    preset = variable(str, value='quick')

    def words(self):
        return ['run'] + self.families.split() + ['--preset', self.preset]

    @run_before('performance')
    def set_figures(self):
        least = {}
        for row in self.good():
            # What costs nothing has no ratio to a reference.
            if row['unit'].startswith('ns') and float(row['ci95_lo_ns']) > 0:
                key = f"{row['benchmark']}.{row['variant']}.{row['subgroup_size']}"
                least[key] = min(least.get(key, float('inf')), float(row['value']))
        self.perf_variables = {key: sn.make_performance_function(sn.defer(value), 'ns')
                               for key, value in least.items()}


@rfm.simple_test
class VebenchKernel(VebenchBase):
    """The best launch of a kernel, and the best at each sub-group size."""

    descr = 'a kernel of the site, as a job of vebench'
    job_file = variable(str, value='sum.yaml')

    def words(self):
        return ['kernel', self.job_file]

    def least(self, size=None):
        values = [float(row['value']) for row in self.good()
                  if size is None or int(row['subgroup_size']) == size]
        return min(values)

    @performance_function('ns')
    def best(self):
        return self.least()

    @run_before('performance')
    def add_sizes(self):
        for size in sorted({int(row['subgroup_size']) for row in self.good()}):
            self.perf_variables[f'lanes_{size}'] = sn.make_performance_function(
                sn.defer(self.least(size)), 'ns')
