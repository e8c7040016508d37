#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares the descriptions for syzkaller with what the compiler says of the headers: every command, member, size, offset, flag.

usage: descriptions.py [DESCRIPTIONS [HEADERS]]   prints TAP; a difference is a line that begins with # before the failed point
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Types of syzkaller's own descriptions that these use
BYTES = {'fd': 4, 'pid': 4, 'sock_nl_generic': 4, 'int8': 1, 'int16': 2, 'int32': 4, 'int64': 8}
# Bits that the module answers with, and never gets
ANSWERS = ('FEATURE', 'CPU', 'EXTRA_REG', 'COUNT', 'STATE')
# A ring is memory, which no call has as an argument.
MEMORY = ('acrpmu_ring_page',)
# What the netlink family has for requests; all else comes from the module
REQUESTS = ('ACRPMU_NL_CMD_SUBSCRIBE', 'ACRPMU_NL_CMD_SESSION_GET')


def arguments(text):
    """Splits at the commas outside of brackets."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += char in '[(' or -(char in '])')
        if char == ',' and not depth:
            parts.append(text[begin:at].strip())
            begin = at + 1
    return parts + [text[begin:].strip()]


def split_type(text):
    """NAME[OPTIONS] as a name and a list."""
    name, bracket, rest = text.partition('[')
    return name.strip(), arguments(rest.rstrip()[:-1]) if bracket else []


class Descriptions:
    """A file of descriptions: calls, resources, structs, unions and sets of flags by name."""

    def __init__(self, path):
        self.calls, self.resources, self.structs, self.unions, self.flags = {}, {}, {}, {}, {}
        with open(path, encoding='utf-8') as file:
            lines = iter([line.split('#')[0].rstrip() for line in file])
        for line in lines:
            self.parse(line, lines)

    def parse(self, line, lines):
        if not line or line.startswith(('include ', 'type ')):
            return
        if match := re.fullmatch(r'resource (\w+)\[(\w+)\].*', line):
            self.resources[match[1]] = match[2]
        elif match := re.fullmatch(r'(\w+)\$(\w+)\((.*)\)( \w+)?', line):
            self.calls[match[1] + '$' + match[2]] = arguments(match[3])
        elif match := re.fullmatch(r'(\w+) = (.*)', line):
            self.flags[match[1]] = arguments(match[2])
        elif match := re.fullmatch(r'(\w+) ([{[])', line):
            kind, end = (self.structs, '}') if match[2] == '{' else (self.unions, ']')
            kind[match[1]] = list(self.members(lines, end))
        else:
            sys.exit(f'descriptions: what is this: {line}')

    @staticmethod
    def members(lines, end):
        for line in lines:
            if line.startswith(end):
                return
            name, kind = line.split(None, 1)
            yield name, re.sub(r'\s*\((in|out|inout)\)$', '', kind)

    def names(self):
        """All constants that are used."""
        known = set(self.resources) | set(self.structs) | set(self.unions) | set(self.flags)
        text = ' '.join(' '.join(args) for args in self.calls.values())
        for group in (self.structs, self.unions):
            text += ' ' + ' '.join(kind for members in group.values() for _, kind in members)
        text += ' ' + ' '.join(name for names in self.flags.values() for name in names)
        return {name for name in re.findall(r'\b[A-Z]\w+\b', text) if name not in known}

    def layout(self, kind, values):
        """Size and alignment of a type, by the rules of syzkaller, which are those of C."""
        name, options = split_type(kind)
        if name in BYTES:
            return BYTES[name], BYTES[name]
        if name == 'ptr64':
            return 8, 8
        if name in ('const', 'flags', 'len', 'bytesize'):
            return self.layout(options[1], values)
        if name == 'array':
            size, align = self.layout(options[0], values)
            return size * int(values.get(options[1], options[1]), 0), align
        if name in self.resources:
            return self.layout(self.resources[name], values)
        if name in self.unions:
            sizes = [self.layout(kind, values) for _, kind in self.unions[name]]
            return max(size for size, _ in sizes), max(align for _, align in sizes)
        offset, most = 0, 1
        for *_, end, align in self.offsets(name, values):
            offset, most = end, max(most, align)
        return -(-offset // most) * most, most

    def offsets(self, struct, values):
        """Of each member its name, offset, end and alignment."""
        offset = 0
        for name, kind in self.structs[struct]:
            size, align = self.layout(kind, values)
            offset = -(-offset // align) * align
            yield name, offset, offset + size, align
            offset += size


class Headers:
    """The headers: what they define by their text, and what that means by the compiler."""

    def __init__(self, directory):
        self.directory = directory
        self.text = ''
        for name in ('acrpmu.h', 'acrpmu_netlink.h'):
            with open(os.path.join(directory, name), encoding='utf-8') as file:
                self.text += re.sub(r'/\*.*?\*/', '', file.read(), flags=re.S)
        self.structs = {name: re.findall(r'(\w+)(?:\[\w+\])*;', body)
                        for name, body in re.findall(r'struct (\w+) \{(.*?)\n\};', self.text, re.S) if name not in MEMORY}
        self.commands = re.findall(r'#define (\w+)\s+_IO\(', self.text)
        self.bits = re.findall(r'(ACRPMU_\w+)\s+=? ?\(?1(?:U|ULL)? << \d+', self.text)
        # Or they would be compared with nothing.
        for name in ('structs', 'commands', 'bits'):
            if not getattr(self, name):
                sys.exit(f'descriptions: no {name} in the headers')

    def compile(self, lines):
        """Prints `NAME VALUE` for each (NAME, EXPRESSION); NAME is missing if it does not compile."""
        body = ''.join(f'printf("{name} %llu\\n", (unsigned long long)({text}));\n' for name, text in lines)
        source = '#include <stdio.h>\n#include <stddef.h>\n#include <fcntl.h>\n#include <linux/perf_event.h>\n' \
            '#include "acrpmu.h"\n#include "acrpmu_netlink.h"\nint main(void)\n{\n' + body + 'return 0;\n}\n'
        with tempfile.TemporaryDirectory() as work:
            path = os.path.join(work, 'headers.c')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(source)
            build = subprocess.run(['cc', '-I', self.directory, '-o', work + '/headers', path], capture_output=True, text=True,
                                   check=False)
            if build.returncode:
                wrong = set(re.findall(r"error: [‘']?(\w+)[’']? undeclared|no member named [‘']?(\w+)", build.stderr))
                names = sorted({name for pair in wrong for name in pair if name})
                return None, names or [build.stderr]
            output = subprocess.run([work + '/headers'], capture_output=True, text=True, check=True).stdout
        return dict(line.split() for line in output.splitlines()), []


def compare_structs(descriptions, headers, values):
    for name, members in headers.structs.items():
        if name not in descriptions.structs:
            yield f'struct {name} has no description'
            continue
        described = list(descriptions.offsets(name, values))
        if [member for member, *_ in described] != members:
            yield f'members of {name}: described {[member for member, *_ in described]}, in the header {members}'
            continue
        for member, offset, end, _ in described:
            wanted = values[f'{name}.{member}'], values[f'{name}.{member}:size']
            if (str(offset), str(end - offset)) != wanted:
                yield f'{name}.{member}: described at {offset} with {end - offset} bytes, it is at {wanted[0]} with {wanted[1]}'
        size, _ = descriptions.layout(name, values)
        if str(size) != values[name]:
            yield f'{name} is described with {size} bytes, and has {values[name]}'
    for name in descriptions.structs:
        if name not in headers.structs:
            yield f'there is no struct {name}'


def compare_commands(descriptions, headers):
    for name in headers.commands:
        args = descriptions.calls.get('ioctl$' + name)
        if not args:
            yield f'no call for {name}'
        elif args[1] != f'cmd const[{name}]':
            yield f'the call for {name} has {args[1]}'
    for name in REQUESTS:
        if name not in ' '.join(descriptions.calls.get('sendmsg$' + name, [])):
            yield f'no message for {name}'


def compare_flags(descriptions, headers):
    listed = {name for names in descriptions.flags.values() for name in names}
    for name in headers.bits:
        if name not in listed and not name.startswith(tuple(f'ACRPMU_{what}_' for what in ANSWERS)):
            yield f'no set of flags has {name}'


def used_types(descriptions):
    """Everything that is described is used."""
    text = ' '.join(' '.join(args) for args in descriptions.calls.values())
    for group in (descriptions.structs, descriptions.unions):
        text += ' ' + ' '.join(kind for members in group.values() for _, kind in members)
    used = set(re.findall(r'\w+', text))
    for name in [*descriptions.structs, *descriptions.unions, *descriptions.flags, *descriptions.resources]:
        if name not in used and name != 'genl_acrpmu_family_id':
            yield f'{name} is described and not used'


def main():
    descriptions = Descriptions(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, 'acrpmu.txt'))
    headers = Headers(sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, '../../uapi'))
    lines = [(name, name) for name in sorted(descriptions.names())]
    for struct, members in headers.structs.items():
        lines.append((struct, f'sizeof(struct {struct})'))
        lines += [(f'{struct}.{member}', f'offsetof(struct {struct}, {member})') for member in members]
        lines += [(f'{struct}.{member}:size', f'sizeof(((struct {struct} *)0)->{member})') for member in members]
    values, unknown = headers.compile(lines)
    if values is None:
        print(f'1..1\n# the headers do not have {", ".join(unknown)}\nnot ok 1 - all constants exist')
        sys.exit(1)
    points = {
        'all constants exist': [],
        'every struct has its members, sizes and offsets': list(compare_structs(descriptions, headers, values)),
        'every command has a call': list(compare_commands(descriptions, headers)),
        'every flag of a request is listed': list(compare_flags(descriptions, headers)),
        'all that is described is used': list(used_types(descriptions)),
    }
    print(f'1..{len(points)}')
    for number, (name, wrong) in enumerate(points.items(), 1):
        print(''.join(f'# {line}\n' for line in wrong) + f'{"not " if wrong else ""}ok {number} - {name}')
    sys.exit(any(points.values()))


main()
