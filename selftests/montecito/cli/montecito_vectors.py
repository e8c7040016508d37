# SPDX-License-Identifier: GPL-2.0-only
"""Writes each call of a vectors file as a command line of acrctl encode, and compares what that prints.

usage: montecito_vectors.py ACRCTL VECTORS DOCUMENT
DOCUMENT lists the vectors with deliberately different results (Documentation/montecito.rst): only these may differ.
Prints what is wrong, then how many were alike; exits with 1 if anything is.
"""
import json
import re
import subprocess
import sys

MASKS = 'ISEM'
EVENT_FLAGS = {1: 'no-qualcheck', 2: 'all-threads', 4: 'active-only', 8: 'always'}
RANGE_FLAGS = {1: 'inv', 2: 'no-fine', 4: 'demand', 8: 'prefetch'}
# what acrctl refuses itself
OWN_CODES = {'PFMLIB_ERR_UMASK': ['unknown-umask'], 'PFMLIB_ERR_IRRINVAL': ['empty-range'],
             'PFMLIB_ERR_DRRINVAL': ['empty-range']}
EAR_MODES = {'--iear': ['cache', 'tlb'], '--dear': ['cache', 'tlb', 'alat']}


class NoWords(Exception):
    """What this call passes cannot be said on a command line."""


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def event_words(i, event, counters):
    """EVENT[:UMASK...][,TERM...]; the terms stand behind colons instead, every other time."""
    if 'name' not in event:
        raise NoWords('an event without a name')
    word = event['name'].lower() if i % 3 == 2 else event['name']
    for k, mask in enumerate(event['masks']):
        word += ':' + (MASKS[mask] if mask < len(MASKS) and (i + k) % 2 else str(mask))
    terms = level_words(event)
    counter = counters[i] if i < len(counters) else {'thres': 0, 'flags': 0}
    if counter['thres']:
        terms.append(f"thres={counter['thres']}")
    flags = counter['flags']
    if flags and not flags & ~15 and i % 2 == 0:
        terms += [name for bit, name in EVENT_FLAGS.items() if flags & bit]
    elif flags:
        terms.append(f'flags=0x{flags:x}')
    return (',' if i % 2 else ':').join([word] + terms)


def opcm_words(option, opcm):
    if any(opcm[slot] > 1 for slot in 'mifb'):
        raise NoWords('a slot that is neither 0 nor 1')
    slots = ''.join(slot for slot in 'mifb' if opcm[slot]) or 'none'
    return [option, f"match={opcm['match']},mask={opcm['mask']},slots={slots}"]


def level_words(part):
    """plm=N; levels of 0 are those of --plm, and are left out."""
    return [f"plm={part['plm']}"] if part['plm'] else []


def ear_words(option, ear):
    words = EAR_MODES[option]
    mode = words[ear['mode']] if ear['mode'] < len(words) else ear['mode']
    return [option, ','.join([f'mode={mode}'] + level_words(ear) + [f"umask={ear['umask']}"])]


def range_words(kind, ranges, odd):
    limits = [(number(x['start']), number(x['end']), x) for x in ranges['limits']]
    # 0 to 0 ends the list; if it is the first, it has to be refused
    nr = [start or end for start, end, _ in limits + [(0, 0, None)]].index(0)
    words = []
    for start, end, limit in limits[:max(nr, 1)]:
        size = odd and end >= start
        words += [f'--{kind}', f'0x{start:x}' + (f'+0x{end - start:x}' if size else f'-0x{end:x}')]
        words[-1] = ','.join([words[-1]] + level_words(limit))
    flags = ranges['flags']
    if flags:
        names = [name for bit, name in RANGE_FLAGS.items() if flags & bit]
        words += [f'--{kind}-flags', ','.join(names) if not flags & ~15 else f'0x{flags:x}']
    return words


def option_words(mont, odd):
    words = []
    for name in ('opcm1', 'opcm2', 'iear', 'dear', 'etb', 'ipear', 'irange', 'drange'):
        part = mont.get(name)
        if not part or not part['used']:
            continue
        if part['used'] != 1:
            raise NoWords('used is neither 0 nor 1')
        if name.startswith('opcm'):
            words += opcm_words('--' + name, part)
        elif name.endswith('range'):
            words += range_words(name, part, odd)
        elif name == 'etb':
            words += ['--etb', ','.join(level_words(part) +
                                        [f'{key}={part[key]}' for key in ('tm', 'ptm', 'ppm', 'brt')])]
        elif name == 'ipear':
            words += ['--ipear', ','.join(level_words(part) + [f"delay={part['delay']}"])]
        else:
            words += ear_words('--' + name, part)
    return words


def command_line(call, odd):
    """The words behind 'acrctl encode'."""
    args = call['args']
    mont = call.get('mont') or {}
    if not args['inp'] or not args['out'] or (args['mont_out'] and not args['mont_in']):
        raise NoWords('a pointer that is NULL')
    ranges = [mont[k]['used'] for k in ('irange', 'drange') if k in mont]
    if not args['mont_out'] and any(ranges):
        raise NoWords('ranges without room for their registers')
    if call['event_count'] != len(call['events']):
        raise NoWords('events that the file does not list')
    if call['flags'] & ~1:
        raise NoWords('flags that do not exist')
    words = ['--pmu', 'montecito', '--json', '--plm', str(call['dfl_plm'])]
    words += ['--system-wide'] if call['flags'] else []
    if call['unavail_pmcs']:
        words += ['--unavailable', ','.join(map(str, call['unavail_pmcs']))]
    events = [event_words(i, event, mont.get('counters', [])) for i, event in enumerate(call['events'])]
    if odd and events:
        words += ['-e', ','.join(events)]
    else:
        for event in events:
            words += ['-e', event]
    words += option_words(mont, odd)
    if not events and not any(word in words for word in ('--opcm1', '--opcm2', '--iear', '--dear', '--etb', '--ipear',
                                                         '--irange', '--drange')):
        raise NoWords('nothing at all')
    return words


def registers(regs):
    return [(r['reg_num'], number(r['reg_addr']), number(r['reg_alt_addr']), number(r.get('reg_value', 0)))
            for r in regs]


def printed(regs):
    return [(r['reg'], r['addr'], r['alt_addr'], int(r.get('value', '0'), 16)) for r in regs]


def check_fields(regs):
    """The fields and the other bits make up the value."""
    for r in regs:
        value = int(r['other_bits'], 16)
        for f in r['fields']:
            assert int(f['value'], 16) < 1 << f['width']
            value |= int(f['value'], 16) << f['bit']
        if value != int(r['value'], 16):
            return f"fields of {r['reg']} make 0x{value:x}"
    return None


def compare_ranges(name, got, want):
    if got is None:
        return f'{name}: none' if want['rr_nbr_used'] else None
    regs = got['ibrs' if name == 'irange' else 'dbrs']
    if len(regs) != want['rr_nbr_used'] or printed(regs) != registers(want['rr_br']):
        return f"{name}: {printed(regs)} and not {registers(want['rr_br'])}"
    for i, r in enumerate(got['ranges']):
        info = want['rr_infos'][i]
        if int(r['soff'], 16) != number(info['rr_soff']) or int(r['eoff'], 16) != number(info['rr_eoff']):
            return f'{name} {i}: {r} and not {info}'
        if (int(r['covered_start'], 16) != int(r['start'], 16) - int(r['soff'], 16) or
                int(r['covered_end'], 16) != int(r['end'], 16) + int(r['eoff'], 16)):
            return f'{name} {i}: covered is not what the offsets say: {r}'
    return check_fields(regs)


def compare(got, want, refused):
    """What differs, or None."""
    if want['ret']:
        codes = [want['err']] + OWN_CODES.get(want['err'], [])
        code = got.get('error', {}).get('code', 'none')
        return None if refused and code in codes else f"refused with {code} and not {want['err']}"
    if refused:
        return f"refused: {got['error']['message']}"
    for name in ('pmcs', 'pmds'):
        if printed(got[name]) != registers(want[name]):
            return f'{name}: {printed(got[name])} and not {registers(want[name])}'
    wrong = check_fields(got['pmcs'])
    for name in ('irange', 'drange'):
        if name in want and not wrong:
            wrong = compare_ranges(name, got[name], want[name])
    if not wrong and 'irange' in want and got['irange'] and got['irange']['fine'] != bool(want['irange_is_fine']):
        wrong = 'fine mode'
    return wrong


def run(acrctl, words):
    """What is wrong with the run itself, what it printed, whether it refused."""
    result = subprocess.run([acrctl, 'encode'] + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode not in (0, 2) or result.stderr:
        return f'exit status {result.returncode}, {result.stderr.decode()}', None, None
    return None, json.loads(result.stdout), result.returncode == 2


def judge(acrctl, vector, words, decided):
    wrong, got, refused = run(acrctl, words)
    if wrong:
        return wrong
    differs = compare(got, vector['out'], refused)
    if not decided:
        return differs
    return None if differs else 'it is decided otherwise, and yet the same'


def main():
    acrctl, vectors, document = sys.argv[1:]
    with open(document, encoding='utf-8') as f:
        listed = f.read().split('.. vectors: begin')[1].split('.. vectors: end')[0]
    decided = set(re.findall(r'\w+-\d+', listed))
    alike = otherwise = bad = mute = 0
    with open(vectors, encoding='utf-8') as f:
        for n, line in enumerate(f):
            vector = json.loads(line)
            try:
                words = command_line(vector['in'], n % 2)
            except NoWords:
                mute += 1
                continue
            wrong = judge(acrctl, vector, words, vector['id'] in decided)
            if wrong:
                bad += 1
                print(f"{vector['id']}: {wrong}\n  acrctl encode {' '.join(words)}")
            elif vector['id'] in decided:
                otherwise += 1
            else:
                alike += 1
    print(f'alike {alike}, decided otherwise {otherwise}, wrong {bad}, without words {mute}')
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
