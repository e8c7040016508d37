# SPDX-License-Identifier: GPL-2.0-only
"""Finds the locations in a C source where one small change makes a mutant: in function bodies, by tokens, not by a parser."""
import hashlib
import re
from collections import Counter

TOKEN = re.compile(r"""
    (?P<skip> \s+ | /\*.*?\*/ | //[^\n]* | (?:(?<=\n)|\A)[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])* )
  | (?P<text> "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
  | (?P<number> \.?\d[\w.]* )
  | (?P<word> [A-Za-z_]\w* )
  | (?P<mark> <<=|>>=|\.\.\.|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^<>=!]=|. )
""", re.X | re.S)
# The greater or the lesser of two is the same, whichever is taken where they are equal.
OPERAND = r"(?:\w|->|[.\[\]])+"
OF_TWO = re.compile(r"""(?:\breturn|[=(,?:&|]) \s* (%s) \s* (?P<than>[<>]=?) \s* (%s) \s* \? \s*
    (?: \1 \s* : \s* \3 | \3 \s* : \s* \1 ) (?=\s*[;,)])""" % (OPERAND, OPERAND), re.X)
INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)")

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "&": "|", "|": "&", "<<": ">>", ">>": "<<",
    "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "++": "--", "--": "++",
}
# These are unary operators, too.
BINARY_ONLY = {"+", "-", "&"}
RETURNS = {"0": "-1", "true": "false", "false": "true"}
HEADERS = {"if", "while", "for", "switch"}
KEYWORDS = HEADERS | {"return", "break", "continue", "goto", "else", "do", "case", "default", "sizeof"}
TYPES = {"const", "struct", "union", "enum", "unsigned", "signed", "int", "char", "bool", "long", "short", "double", "float", "void"}
# Statements with these stay as they are: the compiler evaluates them, or they order accesses of several CPUs, which no test with one
# thread notices.
UNTOUCHED = {"static", "static_assert", "_Static_assert", "BUILD_BUG_ON", "barrier", "smp_wmb", "smp_rmb", "smp_mb"}


class Token:
    def __init__(self, kind, text, at):
        self.kind, self.text, self.at, self.end = kind, text, at, at + len(text)


class Mutant:
    """One change of a file: text[at:end] becomes new."""

    def __init__(self, path, function, statement, at, end, new, operator):
        self.path, self.function, self.statement, self.operator = path, function, statement, operator
        self.at, self.end, self.new = at, end, new
        self.id = None

    def apply(self, text):
        # lines keep their numbers
        lost = text.count("\n", self.at, self.end) - self.new.count("\n")
        return text[:self.at] + self.new + "\n" * lost + text[self.end:]


class Span:
    """Tokens of a function, of a statement or of the header of one, up to its end."""

    def __init__(self, name, tokens):
        self.name, self.tokens = name, tokens
        self.at, self.end = tokens[0].at, tokens[-1].end


def lines_of(span, text):
    """Numbers of the first and the last line of what has a start and an end."""
    return text.count("\n", 0, span.at) + 1, text.count("\n", 0, span.end) + 1


def scan(text):
    tokens = (Token(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(text))
    return [t for t in tokens if t.kind != "skip"]


def bodies(tokens):
    """Yields each function's body with its braces; braces at the top that follow no parenthesis hold tables and types."""
    depth, item, start = 0, [], 0
    for i, token in enumerate(tokens):
        if token.text == "{":
            if not depth:
                start = i + 1
            depth += 1
        elif token.text == "}":
            depth -= 1
            if depth:
                continue
            names = [a.text for a, b in zip(item, item[1:]) if a.kind == "word" and b.text == "("]
            if item and item[-1].text == ")" and names:
                yield Span(names[0], tokens[start - 1:i + 1])
                item = []
        elif not depth:
            item = [] if token.text == ";" else item + [token]


def is_loop(word):
    return word in HEADERS or "for_each" in word


def statements(body):
    """Yields the statements of a body; the header of an if or a loop is one of its own."""
    current, depth, ends = [], 0, None
    for i, token in enumerate(body):
        opens, closes = token.text in ("(", "[", "{"), token.text in (")", "]", "}")
        if token.text == "{" and not depth and (not current or current[-1].text in ("else", "do")):
            current = []
            continue
        if token.text == "}" and not depth:
            current = []
            continue
        current.append(token)
        depth += opens - closes
        if depth:
            continue
        first = current[0].text
        if token.text == ")" and is_loop(first) and ends is None:
            yield Span("", current)
            current = []
        elif token.text in ("else", "do") and len(current) == 1:
            current = []
        elif token.text == ":" and (first in ("case", "default") or len(current) == 2):
            yield Span("", current)
            current = []
        elif token.text == ";":
            yield Span("", current)
            current = []


def is_declaration(tokens):
    if tokens[0].text in TYPES:
        return True
    if tokens[0].kind != "word" or tokens[0].text in KEYWORDS:
        return False
    rest = [t for t in tokens[1:] if t.text != "*"]
    return tokens[1].kind == "word" or (tokens[1].text == "*" and bool(rest) and rest[0].kind == "word")


def is_operand(token):
    return token.kind in ("number", "text") or token.text in (")", "]") or (token.kind == "word" and token.text not in KEYWORDS)


def next_number(text):
    m = INTEGER.fullmatch(text)
    if not m:
        return None
    digits, suffix = m.groups()
    if digits[:2] in ("0x", "0X"):
        return "0x%x%s" % (int(digits, 16) + 1, suffix)
    return "%d%s" % (int(digits, 8 if digits[0] == "0" else 10) + 1, suffix)


def changes_of_statement(statement, text):
    """Yields (at, end, new, operator) of changes to a statement as a whole."""
    tokens = statement.tokens
    first = tokens[0].text
    if first in ("if", "while") and len(tokens) > 3:
        at, end = tokens[1].end, tokens[-1].at
        yield at, end, "!(%s)" % text[at:end], "negate the condition"
    elif first in ("break", "continue"):
        yield statement.at, statement.end, ";", "remove " + first
    elif first == "return" and len(tokens) > 2:
        at, end = tokens[1].at, tokens[-1].at
        new = RETURNS.get(text[at:end], "0")
        if text[at:end] != "NULL":
            yield at, end, new, "return another value"
    elif first not in KEYWORDS and tokens[-1].text == ";" and len(tokens) > 1 and not is_declaration(tokens):
        yield statement.at, statement.end, ";", "drop the statement"


def changes_of_tokens(statement):
    """Yields (at, end, new, operator) of changes to single tokens."""
    tokens = statement.tokens
    # of a declaration, what it is initialized with
    values = tokens
    if is_declaration(tokens):
        equal = [i for i, t in enumerate(tokens) if t.text == "="]
        values = tokens[equal[0]:] if equal else []
    for called, before, token in zip([None] + values, values, values[1:]):
        if token.kind == "number":
            new = next_number(token.text)
            # more memory than is used makes no difference
            if new and not (called and called.text == "calloc" and before.text == "("):
                yield token.at, token.end, new, "constant plus 1"
        elif token.text == "!":
            yield token.at, token.end, " ", "drop the negation"
        elif token.text in SWAPS and (token.text not in BINARY_ONLY or is_operand(before)):
            yield token.at, token.end, SWAPS[token.text], "%s to %s" % (token.text, SWAPS[token.text])


def mutants(path, text):
    """All mutants of a file. A mutant keeps its name if other functions, or the location of this one, change."""
    found, seen = [], Counter()
    same = {m.start("than") for m in OF_TWO.finditer(text)}
    for function in bodies(scan(text)):
        for statement in statements(function.tokens[1:-1]):
            if any(t.text in UNTOUCHED for t in statement.tokens):
                continue
            words = " ".join(t.text for t in statement.tokens)
            changes = list(changes_of_statement(statement, text))
            whole = {(at, end) for at, end, _, _ in changes}
            changes += [c for c in changes_of_tokens(statement) if c[:2] not in whole and c[0] not in same]
            for at, end, new, operator in changes:
                name = "|".join((path, function.name, words, operator, str(sum(t.at < at for t in statement.tokens))))
                seen[name] += 1
                mutant = Mutant(path, function, statement, at, end, new, operator)
                mutant.id = hashlib.sha1(("%s|%d" % (name, seen[name])).encode()).hexdigest()[:12]
                found.append(mutant)
    return found
