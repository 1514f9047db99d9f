"""What vebench writes about simulated GPUs, as a whole: the same as in outputs/*.txt.

    outputs.py VEBENCH SIMULATED_GPU FILE... [--renew]

The time of a simulated GPU and of its host goes on by calls alone, so that the same run has the same
rows to the last digits. A file has, after a line for those who read it,

    GPU settings           of the simulated GPU, as in settings.h
    SET NAME=VALUE         in the environment of the next commands, which has the folder MODULES,
                           and the commands EMULATED, which is vebench without the simulated
                           GPU, and VESIM, which is vebench below vesim; PRELOAD is a library
                           loaded into vebench, OWN_NODES the one that puts each rank on a
                           machine of its own
    $ command              a shell's; `vebench` is this build's

and behind each command what it writes and ends with; `rows FILE` shows a file of results, and
`tty COMMAND` what the command writes to a terminal of 100 columns. Numbers may differ by rounding. --renew writes the files anew: read the difference before committing it.
"""

import csv
import fcntl
import os
import pathlib
import pty
import random
import re
import struct
import subprocess
import sys
import tempfile
import termios

RELATIVE, ABSOLUTE = 1e-4, 1e-7
SETTINGS = 'reading_ns=0 seed=3'  # how often the clock is read depends on the machine
NUMBER = re.compile(r'[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?')
# What differs from run to run, or with every commit.
MASKS = [
    (re.compile(r'\b\d{8}T\d{6}Z(-[0-9a-f]{8})?'), 'TIME'),
    (re.compile(r'\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ'), 'TIME'),
    (re.compile(r'\b[0-9a-f]{64}\b|sha256 [0-9a-f]{16}'), 'HASH'),
    (re.compile(r'\b[0-9]+ bytes, HASH'), 'HASH'),
    (re.compile(r'driver (?!1\.3\.2700)\d+\.\d+\.\d+'), 'driver DRIVER'),  # but the simulated one's
    (re.compile(r'(\w\.c):\d+'), r'\1'),
    (re.compile(r'(?<=or one of: )a380 .*'), 'DEVICES'),
    (re.compile(r'\d+\.\d min left'), 'TIME min left'),
    (re.compile(r'about \d+:\d\d left'), 'about TIME left'),
    (re.compile(r'("host":"|TIME,|TIME \| )' + re.escape(os.uname().nodename) + r'\b'), r'\1HOST'),
]
TERMINAL = 24, 100  # lines, columns
LEFT_OUT = {'run_id', 'time_utc', 'host', 'version', 'kernel_sha256', 'loader_version'}


def rows(path):
    """The columns that are the same in all rows, one a line; then the others, a row a line."""
    if not path.exists():
        return 'no such file\n'
    with open(path, newline='', encoding='utf-8') as file:
        table = list(csv.reader(file))
    kept = [i for i, name in enumerate(table[0]) if name not in LEFT_OUT]
    same = [i for i in kept if len({row[i] for row in table[1:]}) <= 1]
    lines = [f'{table[0][i]}: {table[1][i]}' for i in same if len(table) > 1 and table[1][i]]
    if len(table) > 2:
        lines += [' '.join(row[i] or '-' for i in kept if i not in same) for row in table]
    return '\n'.join(lines) + '\n'


def version_of(vebench):
    written = subprocess.check_output([vebench, '--version'], text=True)
    return re.search(r'\d+\.\d+\.\d+\S*', written).group()


def masked(text, version):
    text = text.replace(version, 'VERSION')
    for pattern, word in MASKS:
        text = pattern.sub(word, text)
    return text


def run_on_terminal(command, environment, folder):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', *TERMINAL, 0, 0))
    with subprocess.Popen(command, shell=True, cwd=folder, env=environment, stdin=slave,
                          stdout=slave, stderr=slave) as process:
        os.close(slave)
        written = b''
        try:
            while part := os.read(master, 65536):
                written += part
        except OSError:  # the terminal's other end is closed
            pass
    os.close(master)
    text = written.decode().replace('\r\n', '\n').replace('\r', '<return>')
    return text.replace('\x1b', '<escape>') + f'\nexit {process.returncode}\n'


def run(command, environment, folder):
    words = command.split()
    if words[0] == 'rows':
        return rows(folder / words[1])
    if words[0] == 'tty':
        return run_on_terminal(command[4:], environment, folder)
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    written = done.stdout
    written += ''.join(f'! {line}\n' for line in done.stderr.splitlines())
    return written + (f'exit {done.returncode}\n' if done.returncode else '')


def replay(text, vebench, library):
    """The same file with what the commands write now."""
    lines, version = [], version_of(vebench)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'vebench').write_text(
            f'#!/bin/sh\nexec /usr/bin/env "LD_PRELOAD={library} $PRELOAD" "{vebench}" "$@"\n')
        (folder / 'vebench').chmod(0o755)
        environment = {**os.environ, 'VEBENCH_ZE_LOADER': str(library), 'SIMULATED_GPU': SETTINGS,
                       'EMULATED': f'env -u LD_LIBRARY_PATH -u VEBENCH_ZE_LOADER {vebench}',
                       'VESIM': f'env -u LD_LIBRARY_PATH -u VEBENCH_ZE_LOADER '
                                f'{vebench.parent.parent}/emulator/vesim --device a380 -- {vebench}',
                       'MODULES': str(vebench.parent.parent / 'spirv_kernels'),
                       'OWN_NODES': str(library.parent / 'own-nodes.so'),
                       'PATH': f'{folder}:{os.environ["PATH"]}', 'COLUMNS': '100'}
        for line in text.splitlines():
            if line.startswith(('#', 'GPU', 'SET ', '$ ')):
                lines.append(line)
            if line.startswith('GPU'):
                environment['SIMULATED_GPU'] = f'{SETTINGS} {line[4:]}'
            elif line.startswith('SET '):
                key, value = line[4:].split('=', 1)
                environment[key] = value
            elif line.startswith('$ '):
                lines += masked(run(line[2:], environment, folder), version).splitlines()
    return [line.rstrip() for line in lines]


def is_near(a, b):
    return abs(float(a) - float(b)) <= ABSOLUTE + RELATIVE * max(abs(float(a)), abs(float(b)))


def same(was, now):
    """Whether two lines differ by nothing but the rounding of numbers, and the blanks it moves."""
    if was == now:
        return True
    numbers = NUMBER.findall(was), NUMBER.findall(now)
    texts = [re.sub(r'\s+', ' ', NUMBER.sub('#', line)) for line in (was, now)]
    return texts[0] == texts[1] and all(map(is_near, *numbers))


def main():
    vebench, library, *paths = [pathlib.Path(word).resolve() for word in sys.argv[1:]
                                if word != '--renew']
    failures = 0
    # With one processor there is one worker. Of two, either may be the first to be ready, and then
    # measures; how far its clock has gone until then depends on what else it has compiled.
    os.sched_setaffinity(0, {random.choice(list(os.sched_getaffinity(0)))})
    for path in paths:
        was = path.read_text().splitlines()
        now = replay(path.read_text(), vebench, library)
        if '--renew' in sys.argv:
            path.write_text('\n'.join(now) + '\n')
            continue
        different = [f'  was: {a}\n  now: {b}' for a, b in zip(was, now) if not same(a, b)]
        if different or len(was) != len(now):
            failures += 1
            print(f'NOT SO: {path.name}: {len(was)} lines, now {len(now)}')
            print('\n'.join(different[:5]))
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
