"""Where C code can be changed, and into what: the mutants of a file.

A mutant is one change of an expression, a condition, a constant or a statement in the body of a
function, or of a constant in data with an initial value. Comments, strings, preprocessor lines,
asserts and declarations without an initial value have none.
"""

import re
from collections import namedtuple

# text[start:end] becomes `new`; line and column count from 1.
Mutant = namedtuple('Mutant', 'start end new line column')

TOKEN = re.compile(r'''
    (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[uUlLfF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])
''', re.VERBOSE)
HIDDEN = re.compile(r'''/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
  | ^[ \t]*\#(?:\\\n|[^\n])*''', re.VERBOSE | re.DOTALL | re.MULTILINE)
ASSERT = re.compile(r'\b(?:static_assert|_Static_assert|assert)\b')

SWAPS = {
    '<': ['<=', '>'], '<=': ['<', '>'], '>': ['>=', '<'], '>=': ['>', '<'], '==': ['!='],
    '!=': ['=='], '&&': ['||'], '||': ['&&'], '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'],
    '+=': ['-='], '-=': ['+='], '*=': ['/='], '/=': ['*='],
}
ASSIGNMENTS = {'=', '+=', '-=', '*=', '/=', '|=', '&=', '^=', '%=', '<<=', '>>=', '++', '--'}
QUALIFIERS = {'static', 'const', 'volatile', 'unsigned', 'signed', 'long', 'short', 'extern',
              '_Atomic', '_Thread_local', 'register', 'typedef'}
TYPES = {'void', 'char', 'int', 'float', 'double', 'bool', 'struct', 'enum', 'union'} | QUALIFIERS
HEADED = {'if', 'while', 'for', 'switch'}
OPEN, CLOSE = {'(', '[', '{'}, {')', ']', '}'}


class Token(namedtuple('Token', 'kind text start end')):
    pass


def blank(match):
    """Same length, same lines; a string stays a value."""
    text = match.group()
    kept = '"' if text[0] in '"\'' else ' '
    return re.sub(r'[^\n]', kept, text)


def tokens_of(text):
    masked = HIDDEN.sub(blank, text)
    masked = re.sub(r'"[" \n]*"', lambda m: 's' + re.sub(r'[^\n]', '_', m.group()[1:]), masked)
    return [Token(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(masked)]


def closing(tokens, i):
    """Index of the bracket that closes the one at i."""
    depth = 0
    for j in range(i, len(tokens)):
        if tokens[j].text in OPEN:
            depth += 1
        elif tokens[j].text in CLOSE:
            depth -= 1
            if depth == 0:
                return j
    return len(tokens) - 1


class Finder:
    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text)
        self.found = []

    def add(self, start, end, new):
        line = self.text.count('\n', 0, start) + 1
        column = start - (self.text.rfind('\n', 0, start) + 1) + 1
        self.found.append(Mutant(start, end, new, line, column))

    def change(self, token, new):
        self.add(token.start, token.end, new)

    def constant(self, token):
        text = token.text
        if re.fullmatch(r'\d+[uUlL]*', text) or text[:2] in ('0x', '0X'):
            number = re.match(r'0[xX][0-9a-fA-F]+|\d+', text).group()
            suffix, value = text[len(number):], int(number, 0 if number[0] != '0' or 'x' in
                                                    number.lower() else 8)
            self.change(token, f'{value + 1}{suffix}')
            if value > 1:
                self.change(token, f'{2 * value}{suffix}')
        else:
            value = float(text.rstrip('fFlL'))
            self.change(token, f'{2 * value}' if value else '1.0')

    def operator(self, i):
        before, token, after = self.tokens[i - 1], self.tokens[i], self.tokens[i + 1]
        if token.text not in SWAPS:
            return
        spaced = token.start > before.end and after.start > token.end
        binary = before.kind != 'sign' or before.text in (')', ']')
        if token.text in ('+', '-', '*', '/') and not (binary and spaced):
            return
        for new in SWAPS[token.text]:
            self.change(token, new)

    def expression(self, first, end):
        """Operators and constants of tokens first to end - 1."""
        i = first
        while i < end:
            token = self.tokens[i]
            if ASSERT.fullmatch(token.text) or token.text == 'sizeof':
                if self.tokens[i + 1].text == '(':
                    i = closing(self.tokens, i + 1)
            elif token.kind == 'number':
                self.constant(token)
            elif token.kind == 'sign' and i > first:
                self.operator(i)
            i += 1

    def declares(self, first, end):
        tokens = self.tokens
        if tokens[first].text in TYPES:
            return True
        if tokens[first].kind != 'name' or tokens[first].text in ('return', 'goto'):
            return False
        i = first + 1
        while i < end and (tokens[i].text == '*' or tokens[i].text in QUALIFIERS):
            i += 1
        return i < end and tokens[i].kind == 'name'

    def assignment(self, first, end):
        """Index of the first assignment outside brackets, or None."""
        i = first
        while i < end:
            if self.tokens[i].text in OPEN:
                i = closing(self.tokens, i)
            elif self.tokens[i].text in ASSIGNMENTS:
                return i
            i += 1
        return None

    def returned(self, first, end):
        value = ''.join(token.text for token in self.tokens[first + 1:end])
        others = {'0': ['1', '-1'], '1': ['0'], '-1': ['0'], 'true': ['false'], 'false': ['true']}
        for new in others.get(value, []):
            self.add(self.tokens[first + 1].start, self.tokens[end - 1].end, new)
        return value in others

    def drop(self, first, end):
        text = self.text[self.tokens[first].start:self.tokens[end - 1].end]
        self.add(self.tokens[first].start, self.tokens[end - 1].end, '\n' * text.count('\n'))

    def statement(self, first, end, drops=True):
        """Tokens first to end - 1, without the semicolon."""
        if first >= end or ASSERT.fullmatch(self.tokens[first].text):
            return
        if self.declares(first, end):
            start = self.assignment(first, end)
            if start is not None:
                self.expression(start + 1, end)
            return
        if self.tokens[first].text == 'return' and self.returned(first, end):
            return
        self.expression(first, end)
        is_call = (self.tokens[first].kind == 'name' and self.tokens[first + 1].text == '(' and
                   closing(self.tokens, first + 1) == end - 1)
        if drops and self.tokens[first].text not in ('return', 'va_start', 'va_end') and (
                is_call or self.assignment(first, end) is not None):
            self.drop(first, end)

    def end_of_statement(self, i, end):
        while i < end and self.tokens[i].text != ';':
            i = (closing(self.tokens, i) if self.tokens[i].text in OPEN else i) + 1
        return i

    def header(self, keyword, first, end):
        """What is between the brackets after if, while, for or switch."""
        if keyword == 'for':
            while first < end:
                stop = self.end_of_statement(first, end)
                self.statement(first, stop, drops=False)
                first = stop + 1
            return
        self.expression(first, end)
        if keyword in ('if', 'while'):
            start, stop = self.tokens[first].start, self.tokens[end - 1].end
            self.add(start, stop, f'!({self.text[start:stop]})')

    def block(self, i, end):
        while i < end:
            token = self.tokens[i]
            if token.text in HEADED and self.tokens[i + 1].text == '(':
                close = closing(self.tokens, i + 1)
                self.header(token.text, i + 2, close)
                i = close + 1
            elif token.text in ('case', 'default'):
                while self.tokens[i].text != ':':
                    i += 1
                i += 1
            elif token.text in ('{', '}', ';', 'else', 'do'):
                i += 1
            elif token.kind == 'name' and self.tokens[i + 1].text == ':':
                i += 2
            else:
                stop = self.end_of_statement(i, end)
                self.statement(i, stop)
                i = stop + 1

    def constants(self, first, end):
        """Of data: the numbers after an equals sign, but none between square brackets."""
        i = first
        while i < end and self.tokens[i].text != '=':
            i += 1
        while i < end:
            if self.tokens[i].text == '[':
                i = closing(self.tokens, i)
            elif self.tokens[i].kind == 'number':
                self.constant(self.tokens[i])
            elif self.tokens[i].kind == 'sign':
                self.operator(i)
            i += 1

    def file(self):
        i = first = 0
        while i < len(self.tokens):
            text = self.tokens[i].text
            if text == '{':
                close = closing(self.tokens, i)
                head = [token.text for token in self.tokens[first:i]]
                if '=' in head or 'enum' in head[:2] and ')' not in head:
                    self.constants(i if '=' not in head else first, close)
                elif head and head[-1] == ')':
                    self.block(i + 1, close)
                i = close
            if text == '{' and head[-1:] == [')'] or text == ';':
                if text == ';' and '{' not in [token.text for token in self.tokens[first:i]]:
                    self.constants(first, i)
                first = i + 1
            i += 1
        return self.found


def mutants_of(text):
    return Finder(text).file()
