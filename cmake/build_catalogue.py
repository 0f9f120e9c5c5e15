"""Compiles the catalogue's data files into one: build_catalogue.py OUT FILE...

The files are assets/catalogue/models.json, accelerators.json and presets.json: one record a line,
so that a change of one fact is one changed line in a review. OUT is a text of tab-separated fields,
one record part a line, which src/catalogue/read.cpp reads and which is described there. The same data
give the same bytes.

A faulty record (a name twice, no source, layers that do not add up, an implausible value) fails the
build and names the record.
"""

import json
import pathlib
import re
import sys

VERSION = 1
KINDS = ['none', 'full', 'window', 'chunked', 'latent', 'cross', 'shared', 'compressed']
STATES = ['none', 'mamba1', 'mamba2', 'gated-delta', 'kimi-delta', 'linear', 'short-conv', 'rwkv']
STORED = ['bf16', 'f16', 'f32']
RATES = ['bf16', 'fp16', 'fp8', 'int8', 'fp4']
SLUG = re.compile(r'^[a-z0-9][a-z0-9.-]*$')
DATE = re.compile(r'^20\d\d-\d\d-\d\d$')


class Fault(Exception):
    """A record that must not ship."""


def check(good: bool, record: dict, what: str) -> None:
    if not good:
        raise Fault(f'{record.get("slug", record)}: {what}')


def line(*fields) -> str:
    """One line of fields; empty and zero ones at the end are left out."""
    texts = ['1' if f is True else str(f or '') for f in fields]
    while texts and not texts[-1]:
        texts.pop()
    if any('\t' in t or '\n' in t for t in texts):
        raise Fault(f'a tab or a line break in {texts[:2]}')
    return '\t'.join(texts)


def layer_tags(text: str) -> list:
    """'(S*3 F)*2' -> S S S F S S S F."""
    tags, i = [], 0
    while i < len(text):
        if text[i] == ' ':
            i += 1
            continue
        if text[i] == '(':
            end = text.index(')', i)
            part, i = layer_tags(text[i + 1:end]), end + 1
        else:
            part, i = [text[i]], i + 1
        count = re.match(r'\*(\d+)', text[i:])
        if count:
            part, i = part * int(count.group(1)), i + count.end()
        tags += part
    return tags


def order_line(record: dict) -> list:
    """The layers' order as runs 'group*count'; none when the groups stand one after another."""
    if 'order' not in record:
        return []
    tags = [g['tag'] for g in record['groups']]
    check(len(set(tags)) == len(tags), record, 'two groups share a tag')
    layers = layer_tags(record['order'])
    for group in record['groups']:
        check(layers.count(group['tag']) == group['layers'], record,
              f'the order has {layers.count(group["tag"])} layers {group["tag"]}')
    check(len(layers) == record['layers'], record, 'the order has another number of layers')
    runs = []
    for tag in layers:
        index = tags.index(tag)
        if runs and runs[-1][0] == index:
            runs[-1][1] += 1
        else:
            runs.append([index, 1])
    return [line('o', ' '.join(f'{g}*{n}' if n > 1 else str(g) for g, n in runs))]


def group_line(record: dict, group: dict) -> str:
    kind = group['kind']
    check(kind in KINDS, record, f'unknown kind {kind}')
    check(0 < group['layers'] <= 1000, record, 'implausible number of layers in a group')
    if kind not in ('none', 'shared'):
        check(1 <= group['kv_heads'] <= 256, record, 'implausible KV heads')
        check(16 <= group['k_dim'] <= 1024, record, 'implausible head dim')
    if kind in ('window', 'chunked'):
        check(16 <= group['window'] <= 1 << 21, record, 'implausible window')
    state = group.get('state', {})
    fields = []
    if state:
        check(state['kind'] in STATES, record, f'unknown state {state["kind"]}')
        columns, width = state.get('conv', [0, 0])
        heads, rows, cols = state.get('shape', [0, 0, 0])
        check(columns * width + heads * rows * cols > 0, record, 'an empty state')
        fields = [state['kind'], columns, width, heads, rows, cols, state.get('groups'),
                  state.get('conv_type') == 'f32', state.get('type') == 'f32', state.get('assumed')]
    return line('g', kind, group['layers'], group.get('kv_heads'), group.get('k_dim'),
                group.get('v_dim'), group.get('window'), group.get('latent_rank'),
                group.get('index_dim'), group.get('index_layers'), group.get('compress_ratio'),
                group.get('compress_dim'), group.get('overlay'), *fields)


def provenance(record: dict) -> None:
    check(SLUG.match(record['slug']) is not None, record, 'not a slug')
    check(len(record.get('source', '')) > 5, record, 'no source')
    check(DATE.match(record.get('date', '')) is not None, record, 'no date')
    check(len(record.get('name', '')) > 0, record, 'no name')
    for banned in ('/' + 'work/', '/' + 'tmp/', 'cases/', 'session'):
        check(banned not in json.dumps(record), record, f'{banned!r} is no public source')


def model_lines(record: dict) -> list:
    provenance(record)
    check('/' in record['hf'], record, 'no Hugging Face id')
    check(record['stored'] in STORED, record, 'unknown stored type')
    counted = sum(g['layers'] for g in record['groups'] if not g.get('overlay'))
    check(counted == record['layers'], record, f'{counted} of {record["layers"]} layers in groups')
    check(record['params'] == 0 or 1e7 < record['params'] < 1e13, record, 'implausible parameters')
    check(record['active'] <= record['params'], record, 'more active parameters than there are')
    check(record['max_tokens'] == 0 or 256 <= record['max_tokens'] <= 1 << 24, record,
          'implausible context')
    parts = record.get('parts', [])
    own = [p['params'] for p in parts if not p.get('kept') and not p['label'].startswith('next-token')]
    check(not parts or sum(own) == record['params'], record,
          'weight parts do not add up to the parameters')
    moe = record.get('moe')
    out = [line('m', record['slug'], record['name'], record['hf'], record['family'],
                record['params'], record['active'] if record['active'] != record['params'] else 0,
                record['layers'], record['hidden'], record['heads'], record['vocab'],
                record['tied'], record['max_tokens'], record['stored'], record.get('scheme'),
                record.get('mtp'), record.get('published_bytes'), record.get('published_basis'),
                record['source'], record['date'], record['confidence'], record.get('notes'))]
    out += [group_line(record, g) for g in record['groups']]
    out += order_line(record)
    if moe:
        out.append(line('e', moe['experts'], moe['per_token'], moe['shared'], moe['expert_width'],
                        moe['layers']))
    out += [line('w', p['label'], p['params'], p['format'], p.get('routed'), p.get('kept')) for p in parts]
    out += [line('a', name) for name in record.get('aliases', [])]
    for name, stored in record.get('siblings', {}).items():
        check(stored in STORED and stored != record['stored'], record, f'{name} is stored alike')
        out.append(line('a', name, stored))
    out += [line('s', name) for name in record.get('same_shape', [])]
    return out


def device_lines(record: dict) -> list:
    provenance(record)
    check(4 <= record['marketed_gb'] <= 1024, record, 'implausible memory')
    check(10 <= record['bandwidth_gb_s'] <= 50000, record, 'implausible bandwidth')
    reported = record.get('reported_bytes') or record.get('reported_mib', 0) << 20
    check(not reported or 0.5 < reported / record['marketed_gb'] / 1e9 < 1.1, record,
          'reported and marketed memory are far apart')
    torch = record.get('torch_mib', 0) << 20
    check(not torch or not reported or torch <= reported, record, 'torch sees more than the driver')
    rates = record.get('tflops', {})
    check(set(rates) <= set(RATES), record, 'unknown arithmetic')
    check(all(1 <= r <= 100000 for r in rates.values()), record, 'implausible arithmetic rate')
    whole = [round(rates.get(name, 0) * 1000) for name in RATES]  # in GFLOP per s: whole numbers
    out = [line('d', record['slug'], record['name'], record['short'], record['vendor'],
                round(record['marketed_gb'] * 10**9), reported, torch,
                record.get('driver_reserved_mib', 0) << 20, round(record['bandwidth_gb_s'] * 1000),
                *whole, record.get('link'), record['form'], record.get('unified'), record.get('small_steps'),
                record['source'], record['date'], record.get('notes'))]
    return out + [line('a', name) for name in record.get('aliases', [])]


def preset_lines(record: dict) -> list:
    check(SLUG.match(record['slug']) is not None, record, 'not a slug')
    check('=' in record['query'], record, 'not a query')
    return [line('p', record['slug'], record['name'], record['query'])]


def compile_files(paths: list) -> str:
    files = {p.stem: json.loads(p.read_text(encoding='utf-8')) for p in paths}
    models = files['models']['models']
    devices = files['accelerators']['accelerators']
    presets = files['presets']['presets']
    for records in (models, devices, presets):
        slugs = [r['slug'].lower() for r in records]
        for slug in slugs:
            check(slugs.count(slug) == 1, {'slug': slug}, 'twice in the catalogue')
    taken = {}
    for record in models:
        others = [*record.get('aliases', []), *record.get('same_shape', []),
                  *record.get('siblings', {})]
        for name in {record['slug'], record['hf'].lower(), *(a.lower() for a in others)}:
            check(taken.setdefault(name, record['slug']) == record['slug'], record,
                  f'{name} also names {taken.get(name)}')
    date = max(files['models']['date'], files['accelerators']['date'])
    out = [line('kvseats-catalogue', VERSION, date)]
    for record in models:
        out += model_lines(record)
    for record in devices:
        out += device_lines(record)
    for record in presets:
        out += preset_lines(record)
    return '\n'.join(out) + '\n'


def main() -> int:
    out, *files = sys.argv[1:]
    try:
        text = compile_files([pathlib.Path(f) for f in files])
    except (Fault, KeyError, ValueError) as error:
        print(f'catalogue: {type(error).__name__}: {error}', file=sys.stderr)
        return 1
    pathlib.Path(out).write_text(text, encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main())
