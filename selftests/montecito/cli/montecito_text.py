# SPDX-License-Identifier: GPL-2.0-only
"""Compares what acrctl encode --pmu montecito prints as JSON and as text.

usage: montecito_text.py JSON TEXT; prints "alike", or the lines that differ
"""
import json
import re
import sys


def number(value):
    value = int(value, 16) if isinstance(value, str) else value
    return f'{value}' if value < 10 else f'0x{value:x}'


def value_lines(kind, regs):
    for r in regs:
        yield f"{kind}{r['reg']} 0x{int(r['value'], 16):016x}"
        for f in r['fields']:
            yield f"{f['name']}={number(f['value'])}" + (f" ({f['meaning']})" if f['meaning'] else '')
        if int(r['other_bits'], 16):
            yield f"other bits {r['other_bits']}"


def bit_lines(pmds):
    for r in pmds:
        yield f"PMD{r['reg']} {r['layout']}"
        for f in r['fields']:
            last = f['bit'] + f['width'] - 1
            yield f"{f['name']} bit {last}" if f['width'] == 1 else f"{f['name']} bits {f['bit']}-{last}"


def range_lines(ranges):
    for r in ranges:
        yield (f"{r['start']}-{r['end']} covered {r['covered_start']}-{r['covered_end']} "
               f"soff {r['soff']}, eoff {r['eoff']}, {r['plm']}")


def of_json(out):
    lines = [f"event {i} {e['name']} PMC{e['pmc']} PMD{e['pmd']} {e['plm']} {e['thres']}"
             for i, e in enumerate(out['events'])]
    lines += list(value_lines('PMC', out['pmcs'])) + list(bit_lines(out['pmds']))
    for name, kind, regs in (('irange', 'IBR', 'ibrs'), ('drange', 'DBR', 'dbrs')):
        if out[name]:
            lines += list(range_lines(out[name]['ranges'])) + list(value_lines(kind, out[name][regs]))
    return lines


def of_text(text):
    # items stand in lines of their own once lines that were broken at a comma are joined
    text = re.sub(r',\n +', ', ', text)
    lines = []
    for line in text.splitlines():
        event = re.match(r'event (\d+): (.*)', line)
        counter = re.match(r' {4}PMC(\d+) controls PMD(\d+), privilege levels (0x\w+)', line)
        register = re.match(r'  ((?:PMC|IBR|DBR)\d+) +(0x\w{16})  ', line)
        data = re.match(r'  (PMD\d+) +(\w+),', line)
        limits = re.match(r'  (0x\w+-0x\w+): (covered \S+) \((.*)\), privilege levels (0x\w+)', line)
        if event:
            lines.append(f'event {event[1]} {event[2]}')
        elif counter:
            more = re.search(r'more than (\d+) times', line)
            lines[-1] += f' PMC{counter[1]} PMD{counter[2]} {int(counter[3], 16)} {more[1] if more else 0}'
        elif register:
            lines.append(f'{register[1]} {register[2]}')
        elif data:
            lines.append(f'{data[1]} {data[2]}')
        elif limits:
            lines.append(f'{limits[1]} {limits[2]} {limits[3]}, {int(limits[4], 16)}')
        elif line.startswith('      '):
            # a comma inside of a meaning is no end of an item
            lines += re.findall(r'[^\s,][^,(]*(?:\([^)]*\))?', line)
    return lines


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        want = of_json(json.load(f))
    with open(sys.argv[2], encoding='utf-8') as f:
        got = of_text(f.read())
    differ = [f'{i}: json {w!r}, text {g!r}' for i, (w, g) in enumerate(zip(want, got)) if w != g]
    if len(want) != len(got):
        differ.append(f'json has {len(want)} items, text {len(got)}')
    print('\n'.join(differ) or 'alike')


if __name__ == '__main__':
    main()
