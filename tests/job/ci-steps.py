"""Runs the steps of examples/ci as a CI service does, over a folder of jobs with a planted regression.

usage: ci-steps.py EXAMPLES/CI VEBENCH

Each `run` is a script of its own, by the shell that its step names. Actions of others (`uses`), what installs
packages and what clones are left out; `bootstrap` is a program that notes how it was called.
"""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

try:
    import yaml
except ImportError:
    print('1..0 # SKIP python3-yaml is not installed')
    sys.exit(77)

EXAMPLES, VEBENCH = sys.argv[1:3]

JOB = 'source: sum.cl\nglobal: 64\nlocal: 64\nsizes: [32]\narguments: {in: {bytes: 4K}, out: {bytes: 256}, n: 16}\n'
BEFORE = '''
kernel void sum(global const float *in, global float *out, int n)
{
    float total = 0;
    for (int i = 0; i < n; i++)
        total += in[i * 64 + get_global_id(0)];
    out[get_global_id(0)] = total;
}
'''
# The same sum, by way of an array that no register file of a thread of 32 lanes holds.
AFTER = BEFORE.replace('float total = 0;', 'float total = 0, part[64] = {0};').replace(
    'total += in', 'part[(i * n) & 63] += in').replace(
    'out[', 'for (int i = 0; i < 64; i++)\n        total += part[(i + n) & 63];\n    out[')


def check(condition, what):
    if not condition:
        print(f'not ok - {what}')
        sys.exit(1)
    print(f'ok - {what}')


def lay_out(place):
    """A tree of vebench without its sources, and beside it the repository of somebody's kernels."""
    os.makedirs(f'{place}/vebench/examples/ci')
    os.makedirs(f'{place}/vebench/build/harness')
    os.makedirs(f'{place}/kernels')
    os.symlink(VEBENCH, f'{place}/vebench/build/harness/vebench')
    with open(f'{place}/vebench/bootstrap', 'w') as file:
        file.write(f'#!/bin/sh\necho "$@" >> {place}/bootstrap.log\n')
    os.chmod(f'{place}/vebench/bootstrap', 0o755)
    write(f'{place}/kernels/sum.yaml', JOB)
    write(f'{place}/kernels/sum.cl', BEFORE)


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)


def filled_in(text, inputs, place):
    """The expressions of the examples; any other is an error."""
    known = {f'inputs.{name}': value for name, value in inputs.items()}
    known['github.action_path'] = f'{place}/vebench/examples/ci'
    return re.sub(r'\$\{\{ *([^ }]+) *\}\}', lambda found: known[found.group(1)], str(text))


def run_steps(steps, inputs, place, env={}):
    """The exit status of the first step that fails, or 0."""
    for step in steps:
        script = step.get('run', '')
        if not script or 'apt-get' in script or 'git clone' in script:
            continue
        shell = step.get('shell', 'bash')
        if shell == 'bash':
            shell = 'bash --noprofile --norc -eo pipefail {0}'
        write(f'{place}/step', filled_in(script, inputs, place))
        given = {name: filled_in(value, inputs, place) for name, value in {**env, **step.get('env', {})}.items()}
        done = subprocess.run(shell.replace('{0}', f'{place}/step').split(), cwd=place, env={
            **os.environ, **given, 'GITHUB_STEP_SUMMARY': f'{place}/summary.md'})
        if done.returncode:
            return done.returncode
    return 0


def check_example(name, steps, inputs, junit):
    with tempfile.TemporaryDirectory() as place:
        lay_out(place)
        subprocess.run([VEBENCH, 'watch', 'kernels', '--baseline', 'kernels.csv', '--emulate', 'a380'], cwd=place,
                       check=True)
        check(run_steps(steps, inputs, place) == 0, f'{name}: the kernels as they were pass')
        check(open(f'{place}/bootstrap.log').read() == 'build\n', f'{name}: vebench is built once')
        check(xml.parse(f'{place}/{junit}').find('.//failure') is None, f'{name}: no test of JUnit failed')

        os.remove(f'{place}/{junit}') # the next run has a machine of its own
        write(f'{place}/kernels/sum.cl', AFTER)
        check(run_steps(steps, inputs, place) == 3, f'{name}: a kernel that spills fails with status 3')
        check('spilled' in open(f'{place}/summary.md').read(), f'{name}: the summary names the spills')
        check(xml.parse(f'{place}/{junit}').find('.//failure') is not None, f'{name}: JUnit names the failure')


action = yaml.safe_load(open(f'{EXAMPLES}/action.yml'))
inputs = {name: given.get('default', '') for name, given in action['inputs'].items()}
check_example('action', action['runs']['steps'],
              {**inputs, 'folder': 'kernels', 'baseline': 'kernels.csv', 'emulate': 'a380'}, inputs['junit'])

workflow = yaml.safe_load(open(f'{EXAMPLES}/watch.yml'))
check_example('workflow', workflow['jobs']['watch']['steps'], {}, 'kernels.xml')
