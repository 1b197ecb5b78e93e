"""Puts mutants of one file into one text, each behind a condition.

A mutant is a piece of text and what stands in its place. Where only an expression differs, that becomes `condition ? new : old`; where
statements do, `if (condition) { new } else { old }`, or, where they are only added or left out, `if (condition) new` and
`if (!condition) old`. Mutants that do not fit this pattern (a declaration, a class, a part of a list) or that touch text of another one
are left to be compiled by themselves.
"""
import re

from conditions import is_in_force

OPENS, CLOSES = '([{', ')]}'
# What cannot be between braces of its own: others name it.
DECLARATION = re.compile(r'(~|else\b|const |constexpr |static |auto |using |template|struct |class |case |default:|(?!return\b|throw\b|co_)[\w:]+(<.*>)?[&*]? +\w+ *[=({;])')
KEYWORDS = re.compile(r'(co_)?return\b|throw\b|co_await\b')


def _blanked(text):
    """The same text without what literals and comments hold, so that brackets and semicolons are code."""
    pattern = r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
    return re.sub(pattern, lambda m: (' ' if m.group().startswith('//') else 'x') * len(m.group()), text)


def _differing(old, new):
    """How long the common beginning and end are; neither cuts a word."""
    front = 0
    while front < min(len(old), len(new)) and old[front] == new[front]:
        front += 1
    while front and any(front < len(t) and re.match(r'\w\w', t[front - 1:front + 1]) for t in (old, new)):
        front -= 1
    back = 0
    while back < min(len(old), len(new)) - front and old[len(old) - back - 1] == new[len(new) - back - 1]:
        back += 1
    while back and any(len(t) > back and re.match(r'\w\w', t[len(t) - back - 1:len(t) - back + 1]) for t in (old, new)):
        back -= 1
    return front, back


def _is_balanced(code):
    depth = []
    for c in code:
        if c in OPENS:
            depth.append(c)
        elif c in CLOSES and (not depth or OPENS.index(depth.pop()) != CLOSES.index(c)):
            return False
    return not depth


def _contains_outside_brackets(code, wanted):
    depth = 0
    for c in code:
        depth += (c in OPENS) - (c in CLOSES)
        if depth == 0 and c in wanted:
            return True
    return False


def _is_part_of_operator(code, at):
    """Whether a `=` or `:` there is one of ==, <=, +=, :: and so on."""
    around = code[at - 1:at + 2]
    return code[at] == '=' and (around[0] in '=<>!+-*/|&^%' or around[2:] == '=') or code[at] == ':' and ':' in (around[0], around[2:])


def _left(code, at, ends):
    """Where what is around `at` begins: behind one of `ends`, or the bracket that is open there."""
    depth = 0
    while at > 0:
        c = code[at - 1]
        if c in CLOSES:
            if depth == 0 and c in ends:
                return at
            depth += 1
        elif c in OPENS:
            if depth == 0:
                return at
            depth -= 1
        elif depth == 0 and c in ends:
            if not _is_part_of_operator(code, at - 1):
                return at
        at -= 1
    return 0


def _right(code, at, ends):
    depth = 0
    while at < len(code):
        c = code[at]
        if c in OPENS:
            depth += 1
        elif c in CLOSES:
            if depth == 0:
                return at
            depth -= 1
        elif depth == 0 and c in ends and not _is_part_of_operator(code, at):
            return at
        at += 1
    return at


def _statement(code, begin, end):
    """The statements that cover code[begin:end], with what ends them; None if there are braces between."""
    while begin < end and code[begin].isspace():
        begin += 1
    while begin < end and code[end - 1].isspace():
        end -= 1
    first = _left(code, begin, ';}')
    if first and code[first - 1] in '([':
        return _statement(code, first - 1, end)
    if end > begin and code[end - 1] in ';}':
        last = end
    else:
        last = _right(code, end, ';')
        if last < len(code) and code[last] in ')]':
            return _statement(code, first, last + 1)
        last += 1
    piece = code[first:last]
    return (first, last) if _is_balanced(piece) else None


def _statements(code):
    """The single statements of some: up to each semicolon or brace outside of brackets."""
    parts, begin, depth = [], 0, 0
    for at, c in enumerate(code):
        depth += (c in OPENS) - (c in CLOSES)
        if depth == 0 and c in ';}':
            parts.append(code[begin:at + 1].strip())
            begin = at + 1
    return [part for part in parts + [code[begin:].strip()] if part.strip('; ')]


def _as_expression(text, code, begin, end, new):
    """begin, end, and the old and the new expression; None if they are none."""
    first, last = _left(code, begin, ',;}=?:'), _right(code, end, ',;:')
    old_code, new_code = code[first:last], _blanked(text[first:begin] + new + text[end:last])
    if any(not _is_balanced(c) or _contains_outside_brackets(c, ',;') or not c.strip() for c in (old_code, new_code)):
        return None
    bracket = code[_left(code, begin, '') - 1]
    if (code[first - 1] in ';{}' and bracket != '(' or code[last] == ':') and not KEYWORDS.match(old_code.strip()):
        return None  # a statement
    keyword = KEYWORDS.match(old_code.strip())
    if keyword:
        shift = old_code.index(keyword.group()) + len(keyword.group())
        if not new_code.strip().startswith(keyword.group()) or first + shift > begin:
            return None
        first += shift
        if not code[first:last].strip():
            return None
    return first, last, text[first:last], text[first:begin] + new + text[end:last]


def guarded(text, old, new, condition):
    """(begin, end, what stands there instead) for one mutant of a source; None if it must be compiled by itself."""
    code = _blanked(text)
    place = text.index(old)
    front, back = _differing(old, new)
    begin, end, changed = place + front, place + len(old) - back, new[front:len(new) - back]
    expression = _as_expression(text, code, begin, end, changed)
    if expression:
        first, last, old_expression, new_expression = expression
        return first, last, f' ({condition} ? ({new_expression.strip()}) : ({old_expression.strip()}))'
    found = _statement(code, begin, end)
    if found is None:
        return None
    first, last = found
    old_statement, new_statement = text[first:last], text[first:begin] + changed + text[end:last]
    old_code, new_code = _blanked(old_statement), _blanked(new_statement)
    if not _is_balanced(new_code) or re.match(r'\s*else\b', text[last:]):
        return None
    if any(DECLARATION.match(statement) for statement in _statements(old_code) + _statements(new_code)):
        return None
    if not new_code.strip():
        if len(_statements(old_code)) == 1:
            return first, first, f' if (!{condition}) '
        return first, last, f' if (!{condition}) {{ {old_statement} }} '
    cut = len(new_code.rstrip()) - len(old_code.strip())
    if new_code.rstrip().endswith(old_code.strip()) and new_code[:cut].rstrip().endswith((';', '}')):
        return first, first, f' if ({condition}) {{ {new_statement[:cut].strip()} }} '
    if not new_code.rstrip().endswith((';', '}')):
        new_statement += ';'  # what was left out was all that an `if` or a loop did
    return first, last, f' if ({condition}) {{ {new_statement} }} else {{ {old_statement} }} '


def _interferes(edit, other):
    (begin, end, instead), (other_begin, other_end, other_instead) = edit, other
    if begin == end == other_begin == other_end:
        return not all(i.endswith('} ') for i in (instead, other_instead))  # statements that are added to each other are none
    return begin <= other_begin < end or other_begin <= begin < other_end


def put_together(text, mutants):
    """`mutants`: pairs of old and new, numbered from 1. The text with those that fit, and their numbers."""
    edits, numbers = [], set()
    for number, (old, new) in enumerate(mutants, 1):
        edit = guarded(text, old, new, is_in_force(number))
        if edit is None or any(_interferes(edit, other) for other in edits):
            continue
        edits.append(edit)
        numbers.add(number)
    for begin, end, instead in sorted(edits, reverse=True):
        text = text[:begin] + instead + text[end:]
    return text, numbers
