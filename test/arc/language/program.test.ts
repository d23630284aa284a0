import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arcRows } from '../../../src/arc/rows.ts';
import { checkProgram, parseProgram, type ProgramStep } from '../../../src/arc/language/program.ts';
import { price } from '../../../src/arc/language/cost.ts';
import { candidateId, normalForm } from '../../../src/arc/language/normal.ts';
import { compile } from '../../../src/arc/language/run.ts';
import { printProgram, readProgram } from '../../../src/arc/language/text.ts';
import { programs } from '../arbitrary-programs.ts';
import { digits, grids, pic } from '../arbitrary.ts';

describe('programs', () => {
  it('every operation type-checks, prints, parses back and keeps its hash', () => {
    fc.assert(
      fc.property(programs, (program) => {
        expect(checkProgram(JSON.parse(JSON.stringify(program)))).toMatchObject({ ok: true });
        const read = readProgram(printProgram(program));
        if (!read.ok) throw new Error(read.error.message);
        expect(printProgram(read.value)).toBe(printProgram(program));
        const again = readProgram(printProgram(read.value));
        expect(again).toEqual(read);
        expect(again.ok && candidateId(again.value)).toBe(candidateId(read.value));
      }),
    );
  });

  it('programs of earlier versions with removed operations are no hints: their tasks are searched again', () => {
    expect(arcRows.recall.artifact('$0 = heap(input)')).toBe(null);
    expect(arcRows.recall.artifact('$0 = move(input, motion: flip-left-right)')).toHaveLength(1);
  });

  it('programs of earlier versions parse if their meaning is unchanged', () => {
    const old = [{ op: 'stamp', args: { turned: 'any', original: 'kept', marks: 'part', room: 'any' } }];
    const read = checkProgram(old);
    expect(read.ok && read.value[0]?.args).toEqual({ turned: 'any', original: 'kept', marks: 'part' });
    const other = [{ op: 'stamp', args: { turned: 'any', original: 'kept', marks: 'part', room: 'empty' } }];
    expect(checkProgram(other)).toMatchObject({ ok: false, error: { kind: 'TYPE' } });
    const falling = checkProgram([{ op: 'fall_objects', args: { to: 'right' } }]);
    expect(falling.ok && compile(falling.value)(pic('1100', '1000'))).toMatchObject({
      grid: pic('0011', '0010'),
    });
    const many = Array.from({ length: 20 }, (_, y) => (y % 2 === 0 ? '01'.repeat(10) : '0'.repeat(20)));
    expect(falling.ok && compile(falling.value)(pic(...many))).toMatchObject({
      grid: pic(...many.map((row) => '0'.repeat(10) + row.slice(-1).repeat(10))),
    });
    expect(checkProgram([{ op: 'fall_objects', args: { to: 'away' } }]).ok).toBe(false);
    expect(checkProgram([{ op: 'sort', args: { by: 'cells' } }])).toMatchObject({
      ok: false,
      error: { kind: 'PARSE' },
    });
    expect(checkProgram([{ op: 'peel', args: {} }])).toMatchObject({
      ok: false,
      error: { kind: 'PARSE', message: expect.stringContaining('"peel" is a retired operation') as string },
    });
  });

  it('always terminate with a grid or a reason', () => {
    fc.assert(
      fc.property(programs, grids(12, 6), (program, grid) => {
        const outcome = compile(program)(grid);
        expect(['grid', 'EXEC', 'OVERSIZE', 'EMPTY']).toContain(outcome.kind);
        const { width, height, cells } = outcome.kind === 'grid' ? outcome.grid : pic('0');
        expect(cells.length).toBe(width * height);
        expect(cells.every((cell) => cell < 10)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('give the same result each time', () => {
    fc.assert(
      fc.property(programs, grids(), (program, grid) => {
        expect(compile(program)(grid)).toEqual(compile(program)(grid));
      }),
    );
  });

  it('have an equivalent, stable normal form with the same hash for JSON and text', () => {
    fc.assert(
      fc.property(programs, grids(), (program, grid) => {
        const normal = normalForm(program);
        expect(checkProgram(JSON.parse(JSON.stringify(normal)))).toMatchObject({ ok: true });
        expect(normalForm(normal)).toEqual(normal);
        const outcome = compile(program)(grid);
        // A step that is dropped can no longer fail.
        if (outcome.kind === 'grid') expect(compile(normal)(grid)).toEqual(outcome);
        const read = readProgram(printProgram(program));
        expect(read.ok && candidateId(read.value)).toBe(candidateId(program));
        expect(price(normal)).toBe(price(program));
        expect(price(program)).toBeGreaterThan(0);
      }),
    );
  });

  it('unused steps do not add to the cost', () => {
    const crop: ProgramStep = { op: 'crop', args: { of: 'input' } };
    expect(price([{ op: 'hull', args: {} }, crop])).toBe(price([crop]));
    expect(candidateId([{ op: 'hull', args: {} }, crop])).toBe(candidateId([crop]));
    expect(price([crop, { op: 'hull', args: {} }])).toBeGreaterThan(price([crop]));
  });

  it('values are shared by reference', () => {
    const text =
      '$0 = filter(input, colour: 1)\n$1 = filter(input, colour: 2)\n$2 = move($0, motion: flip-left-right)\n$3 = stack([$2, $1]) in input';
    const parsed = readProgram(text);
    if (!parsed.ok) throw new Error(parsed.error.message);
    const outcome = compile(parsed.value)(pic('120', '000'));
    expect(outcome.kind === 'grid' && digits(outcome.grid)).toEqual(['021', '000']);
  });
});

describe('faults', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['{', 'PARSE', 'not JSON'],
    ['{}', 'PARSE', 'array of steps'],
    ['[]', 'PARSE', 'at least one step'],
    ['[{"op":"filtre","args":{}}]', 'PARSE', 'step 0: unknown operation "filtre"; did you mean "filter"?'],
    ['[{"op":"filter","args":{}}]', 'TYPE', 'needs the argument "colour" (a colour 0 to 9)'],
    ['[{"op":"filter","args":{"colour":12}}]', 'TYPE', 'argument "colour" is 12'],
    [
      '[{"op":"filter","args":{"colour":1,"color":1}}]',
      'TYPE',
      'has no argument "color"; did you mean "colour"?',
    ],
    ['[{"op":"pick","args":{"by":"cells"}}]', 'TYPE', 'takes a list but gets an image'],
    ['[{"op":"panels"}]', 'TYPE', 'the last step gives a list'],
    ['[{"op":"embed"}]', 'TYPE', 'is size-bound and needs "frame"'],
    ['[{"op":"recolour","args":{"table":{"1,2":"3"}}}]', 'TYPE', 'key "1,2" is not 1 number'],
    ['[{"op":"recolour","args":{"table":{"1":"12"}}}]', 'TYPE', '"1" says "12", not a colour 0 to 9'],
    [
      '[{"op":"cells","args":{"features":["self"],"table":{"1":"@nowhere"},"else":"keep","rounds":1}}]',
      'TYPE',
      '"1" says "@nowhere"',
    ],
    [
      '[{"op":"move_objects","args":{"objects":"blob","features":["any"],"table":{"0":"fly up"},"leave":"self"}}]',
      'TYPE',
      '"0" says "fly up", not an action',
    ],
    ['[{"op":"crop","args":{"of":0}}]', 'TYPE', '"of" is 0, not "input" or an earlier step'],
  ];
  for (const [text, kind, message] of cases)
    it(`of ${text} are ${kind}`, () => {
      const parsed = parseProgram(text);
      expect(!parsed.ok && parsed.error.kind).toBe(kind);
      expect(!parsed.ok && parsed.error.message).toContain(message);
    });

  it('errors in rule text name line and column', () => {
    const parsed = readProgram('$0 = crop(input)\n$1 = filter($0 colour: 2)');
    expect(parsed).toEqual({
      ok: false,
      error: { kind: 'PARSE', message: 'line 2, column 16: expected ")"' },
    });
    expect(readProgram('$3 = crop(input)')).toMatchObject({
      error: { message: expect.stringContaining('expected $0') },
    });
  });
});
