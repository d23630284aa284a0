import { expect, test } from 'vitest';
import type { KernelOutcome } from '../../../src/kernel/outcome.ts';
import { ExportWorld, header, judgeBytes, judgeRows, type Row } from '../../helpers/ndjson.ts';

const axiom = (name: number, type: number, fields: Row = {}): Row => ({
  axiom: { name, levelParams: [], type, isUnsafe: false, ...fields },
});
const name = (at: number, str: string, pre = 0): Row => ({ in: at, str: { pre, str } });
const prop: Row = { ie: 0, sort: 0 };
/** A name, `Prop`, and an axiom of it. */
const minimal: readonly Row[] = [header, name(1, 'a'), prop, axiom(1, 0)];
/** The minimal export with rows before its axiom. */
const beside = (...rows: (Row | string)[]): (Row | string)[] => [
  ...minimal.slice(0, 3),
  ...rows,
  axiom(1, 0),
];
const version = (text: string): Row => ({ meta: { format: { version: text } } });
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const text = minimal.map((row) => JSON.stringify(row)).join('\n');
const definition = (world: ExportWorld): ExportWorld => {
  world.define('one', world.c('Nat'), world.app(world.c('Nat.succ'), world.c('Nat.zero')));
  return world;
};
const isDeclaration = (row: Row): boolean => !('in' in row || 'il' in row || 'ie' in row);
const basics = (): ExportWorld => new ExportWorld().withBasics();

const deep = (count: number, row: (below: number) => Row): Row[] =>
  Array.from({ length: count }, (_, i) => ({ ...row(i + 99), ie: i + 100 }));

/** A type behind nested binders. */
const binders = (count: number): Row[] => [
  header,
  name(1, 'a'),
  { ie: 99, sort: 0 },
  ...deep(count, (below) => ({ forallE: { name: 0, type: 99, body: below, binderInfo: 'default' } })),
  axiom(1, count + 99),
];

const accepted: readonly [what: string, judge: () => KernelOutcome][] = [
  ['the smallest export', () => judgeRows(minimal)],
  ['an export of nothing', () => judgeRows([header])],
  [
    'text that looks like a key, and rows with spaces',
    () =>
      judgeRows([
        header,
        String.raw`{ "in" : 1, "str": {"pre": 0, "str": "\":\\\"" } }`,
        ...minimal.slice(2),
      ]),
  ],
  ['format 3.1', () => judgeRows([version('3.1'), ...minimal.slice(1)])],
  ['format 3.1.7', () => judgeRows([version('3.1.7'), ...minimal.slice(1)])],
  [
    'numbers with gaps',
    () => judgeRows([header, name(7, 'a'), { ie: 900_000_000, sort: 0 }, axiom(7, 900_000_000)]),
  ],
  [
    'numbers out of order',
    () =>
      judgeRows([
        header,
        name(1, 'a'),
        { il: 2, succ: 0 },
        { il: 1, succ: 2 },
        { ie: 0, sort: 1 },
        axiom(1, 0),
      ]),
  ],
  [
    'rows before what they refer to',
    () => judgeRows([header, axiom(1, 5), { ie: 5, sort: 3 }, { il: 3, succ: 0 }, name(1, 'a')]),
  ],
  ['all rows in reverse', () => judgeRows([header, ...definition(basics()).rows.slice(1).reverse()])],
  [
    'declarations before what they mention',
    () => {
      const { rows } = definition(basics());
      return judgeRows([
        header,
        ...rows.slice(1).filter((row) => !isDeclaration(row)),
        ...rows.slice(1).filter(isDeclaration).reverse(),
      ]);
    },
  ],
  ['lines that end in CR LF', () => judgeBytes(bytes(`${text.replaceAll('\n', '\r\n')}\r\n`))],
  ['no line feed at the end, and empty lines', () => judgeBytes(bytes(text.replaceAll('\n', '\n\n')))],
  ['spaces in a row', () => judgeBytes(bytes(text.replaceAll(':', ' : ')))],
  [
    'metadata around an expression',
    () =>
      judgeRows([
        header,
        name(1, 'a'),
        { ie: 3, sort: 0 },
        { ie: 0, mdata: { expr: 3, data: { x: 'y' } } },
        axiom(1, 0),
      ]),
  ],
  [
    'names that objects have in JavaScript',
    () =>
      judgeRows([
        header,
        prop,
        ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].flatMap((one, i) => [
          name(i + 1, one),
          axiom(i + 1, 0),
        ]),
      ]),
  ],
  [
    'a key that objects have in JavaScript',
    () => judgeRows(beside('{"ie":4,"sort":0,"__proto__":{"in":1}}')),
  ],
  [
    'line separators of Unicode in a name',
    () => judgeBytes(bytes(text.replace('"a"', '"a\u2028b\u2029c\u0085d"'))),
  ],
  ['characters beyond the first plane', () => judgeBytes(bytes(text.replace('"a"', '"𝔸💡"')))],
  ['escaped characters', () => judgeBytes(bytes(text.replace('"a"', String.raw`"\ud835\udd38\n\u0000"`)))],
  [
    'numbers in names',
    () => judgeRows([header, name(2, 'a'), { in: 1, num: { pre: 2, i: 2 ** 40 } }, prop, axiom(1, 0)]),
  ],
  [
    'an unsafe definition',
    () =>
      judgeRows(
        beside(name(2, 'b'), {
          def: { name: 2, levelParams: [], type: 0, value: 0, hints: 'opaque', safety: 'unsafe', all: [2] },
        }),
      ),
  ],
  [
    'a partial definition',
    () =>
      judgeRows(
        beside(name(2, 'b'), {
          def: { name: 2, levelParams: [], type: 0, value: 0, hints: 'opaque', safety: 'partial', all: [2] },
        }),
      ),
  ],
  [
    'a name of 1,000 parts',
    () =>
      judgeRows([
        header,
        ...Array.from({ length: 1000 }, (_, i) => name(i + 1, 'x', i)),
        prop,
        axiom(1000, 0),
      ]),
  ],
  ['9,000 nested binders', () => judgeRows(binders(9000))],
];

test.each(accepted)('accepts %s', (_what, judge) => {
  expect(judge()).toEqual({ answer: 'accept' });
});

const refused: readonly [what: string, answer: 'refuse' | 'decline', judge: () => KernelOutcome][] = [
  ['an empty file', 'refuse', () => judgeRows([])],
  ['empty lines', 'refuse', () => judgeRows(['', ' ', ''])],
  ['no header', 'refuse', () => judgeRows(minimal.slice(1))],
  ['a header further down', 'refuse', () => judgeRows([...minimal.slice(1), header])],
  ['two headers', 'refuse', () => judgeRows([header, ...minimal])],
  ['a header without a version', 'refuse', () => judgeRows([{ meta: {} }, ...minimal.slice(1)])],
  ['format 2.0', 'decline', () => judgeRows([version('2.0.0'), ...minimal.slice(1)])],
  ['format 3.2', 'decline', () => judgeRows([version('3.2.0'), ...minimal.slice(1)])],
  ['format 3.10', 'decline', () => judgeRows([version('3.10.0'), ...minimal.slice(1)])],
  [
    'a version that is a number',
    'refuse',
    () => judgeRows([{ meta: { format: { version: 3.1 } } }, ...minimal.slice(1)]),
  ],
  ['half a row', 'refuse', () => judgeRows(beside('{"ie":4,"sort":'))],
  ['something after a row', 'refuse', () => judgeRows(beside('{"ie":4,"sort":0} {}'))],
  ['an array', 'refuse', () => judgeRows(beside('[]'))],
  ['a text', 'refuse', () => judgeRows(beside('"in"'))],
  ['null', 'refuse', () => judgeRows(beside('null'))],
  ['an unknown row', 'refuse', () => judgeRows(beside({ rec: {} }))],
  ['an unknown expression', 'refuse', () => judgeRows(beside({ ie: 4, fvar: 0 }))],
  [
    'a row of two kinds',
    'refuse',
    () => judgeRows(beside({ ie: 4, in: 4, sort: 0, str: { pre: 0, str: 'b' } })),
  ],
  ['an expression of two kinds', 'refuse', () => judgeRows(beside({ ie: 4, sort: 0, bvar: 0 }))],
  ['two declarations in a row', 'refuse', () => judgeRows(beside({ ...axiom(1, 0), quot: {} }))],
  ['a name defined twice', 'refuse', () => judgeRows(beside(name(1, 'b')))],
  ['the anonymous name defined again', 'refuse', () => judgeRows(beside(name(0, 'b')))],
  ['level 0 defined again', 'refuse', () => judgeRows(beside({ il: 0, succ: 0 }))],
  ['an expression defined twice', 'refuse', () => judgeRows(beside({ ie: 0, sort: 0 }))],
  ['a declaration twice', 'refuse', () => judgeRows([...minimal, axiom(1, 0)])],
  ['a declaration without a name', 'refuse', () => judgeRows([header, prop, axiom(0, 0)])],
  [
    'an expression that is its own part',
    'refuse',
    () => judgeRows([header, name(1, 'a'), { ie: 0, app: { fn: 0, arg: 0 } }, axiom(1, 0)]),
  ],
  [
    'expressions in a circle',
    'refuse',
    () =>
      judgeRows([
        header,
        name(1, 'a'),
        { ie: 0, app: { fn: 1, arg: 1 } },
        { ie: 1, app: { fn: 0, arg: 0 } },
        axiom(1, 0),
      ]),
  ],
  ['a level that is its own successor', 'refuse', () => judgeRows(beside({ il: 1, succ: 1 }))],
  ['a name that is its own parent', 'refuse', () => judgeRows(beside(name(2, 'b', 2)))],
  ['an expression that is missing', 'refuse', () => judgeRows([header, name(1, 'a'), axiom(1, 3)])],
  ['a fraction as a number', 'refuse', () => judgeRows(beside({ ie: 1.5, sort: 0 }))],
  ['a negative number', 'refuse', () => judgeRows(beside({ ie: -1, sort: 0 }))],
  ['NaN', 'refuse', () => judgeRows(beside('{"ie":NaN,"sort":0}'))],
  ['infinity', 'refuse', () => judgeRows(beside('{"ie":1e999,"sort":0}'))],
  ['a number beyond 53 bits', 'decline', () => judgeRows(beside('{"ie":9007199254740993,"sort":0}'))],
  ['a number as text', 'refuse', () => judgeRows(beside({ ie: '4', sort: 0 }))],
  ['true as a number', 'refuse', () => judgeRows(beside({ ie: true, sort: 0 }))],
  [
    'a flag that is no flag',
    'refuse',
    () => judgeRows([...minimal.slice(0, 3), axiom(1, 0, { isUnsafe: 0 })]),
  ],
  [
    'an unknown kind of safety',
    'refuse',
    () =>
      judgeRows(
        beside(name(2, 'b'), {
          def: {
            name: 2,
            levelParams: [],
            type: 0,
            value: 0,
            hints: 'opaque',
            safety: 'constructor',
            all: [],
          },
        }),
      ),
  ],
  [
    'unknown hints',
    'refuse',
    () =>
      judgeRows(
        beside(name(2, 'b'), {
          def: { name: 2, levelParams: [], type: 0, value: 0, hints: 'toString', safety: 'safe', all: [] },
        }),
      ),
  ],
  [
    'an unknown binder',
    'refuse',
    () => judgeRows(beside({ ie: 4, lam: { name: 0, type: 0, body: 0, binderInfo: 'free' } })),
  ],
  ['max of three levels', 'refuse', () => judgeRows(beside({ il: 4, max: [0, 0, 0] }))],
  ['metadata that is no object', 'refuse', () => judgeRows(beside({ ie: 4, mdata: { expr: 0, data: 1 } }))],
  ['half a character', 'refuse', () => judgeBytes(bytes(text.replace('"a"', String.raw`"\ud800"`)))],
  [
    'bytes that are no UTF-8',
    'refuse',
    () =>
      judgeBytes(bytes(text.slice(0, text.indexOf('"a"') + 1), [0xff], text.slice(text.indexOf('"a"') + 1))),
  ],
  ['a NUL byte', 'refuse', () => judgeBytes(bytes(text, [0]))],
  ['UTF-16', 'refuse', () => judgeBytes(Buffer.from(text, 'utf16le'))],
  [
    'an array of 100,000 levels',
    'decline',
    () => judgeRows(beside(`{"ie":4,"sort":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)),
  ],
  ['a key that occurs twice', 'refuse', () => judgeRows(beside('{"ie":4,"bvar":0,"bvar":1}'))],
  [
    'a key that occurs twice inside',
    'refuse',
    () => judgeRows(beside('{"ie":4,"app":{"fn":0,"arg":0,"fn": 1}}')),
  ],
  ['a number with a sign', 'refuse', () => judgeRows(beside({ ie: 4, natVal: '-1' }))],
  ['a number in hexadecimal', 'refuse', () => judgeRows(beside({ ie: 4, natVal: '0x10' }))],
  ['a number with a leading zero', 'refuse', () => judgeRows(beside({ ie: 4, natVal: '01' }))],
  [
    'a number of two million digits',
    'decline',
    () => judgeRows(beside({ ie: 4, natVal: '1'.repeat(2_000_000) })),
  ],
  [
    'a name of 100,000 parts',
    'decline',
    () => judgeRows([header, ...Array.from({ length: 100_000 }, (_, i) => name(i + 1, 'x', i))]),
  ],
  ['50,000 nested binders', 'decline', () => judgeRows(binders(50_000))],
  [
    '150,000 nested terms, without reading on',
    'decline',
    () => judgeRows([...binders(150_000).slice(0, -1), 'not JSON']),
  ],
  [
    'more rows than allowed before the next declaration',
    'decline',
    () => judgeRows(beside({ ie: 4, bvar: 0 }, { ie: 5, bvar: 1 }, 'not JSON'), { between: 3, waiting: 9 }),
  ],
  [
    'more waiting rows than allowed',
    'decline',
    () => {
      const row = { app: { fn: 0, arg: 99 } };
      return judgeRows(beside({ ie: 4, ...row }, { ie: 5, ...row }, 'not JSON'), { between: 9, waiting: 1 });
    },
  ],
  [
    'a level of 3,000 successors',
    'decline',
    () => judgeRows(beside(...Array.from({ length: 3000 }, (_, i) => ({ il: i + 1, succ: i })))),
  ],
  [
    '50,000 nested applications',
    'refuse',
    () =>
      judgeRows([
        header,
        name(1, 'a'),
        { ie: 99, sort: 0 },
        ...deep(50_000, (below) => ({ app: { fn: below, arg: below } })),
        axiom(1, 50_099),
      ]),
  ],
  [
    '50,000 nested lambdas in arguments',
    'decline',
    () =>
      judgeRows([
        header,
        name(1, 'a'),
        { ie: 99, sort: 0 },
        ...deep(50_000, (below) => ({ lam: { name: 0, type: below, body: 99, binderInfo: 'default' } })),
        axiom(1, 50_099),
      ]),
  ],
];

test.each(refused)('%s: %s', (_what, answer, judge) => {
  expect(judge()).toMatchObject({ answer });
});
