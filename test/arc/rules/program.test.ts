import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Argument, Operation, Parameter } from '../../../src/arc/rules/operation.ts';
import {
  checkProgram,
  parseProgram,
  programHash,
  type Program,
  type Step,
} from '../../../src/arc/rules/program.ts';
import { operations } from '../../../src/arc/rules/registry.ts';
import { runProgram } from '../../../src/arc/rules/run.ts';
import { printProgram, readProgram } from '../../../src/arc/rules/text.ts';
import { digits, grids, pic } from '../arbitrary.ts';

/** Well-typed programs over all operations, steps chained or referring back. */
const programs = fc
  .array(fc.tuple(fc.nat(), fc.nat(), fc.infiniteStream(fc.nat())), { minLength: 1, maxLength: 8 })
  .map((draws): Program => {
    const steps: Step[] = [];
    const types: ('image' | 'list')[] = [];
    for (const [choice, back, stream] of draws) {
      const of = steps.length === 0 || back % 4 === 0 ? 'input' : back % steps.length;
      const taken = of === 'input' ? 'image' : (types[of] as 'image' | 'list');
      const fitting = [...operations.values()].filter(
        ({ takes, gives }) => takes === taken || (takes === 'image' && gives === 'image'),
      );
      const operation = fitting[choice % fitting.length] as Operation;
      const args: Record<string, Argument> = { of };
      for (const [name, parameter] of Object.entries(operation.parameters))
        args[name] = draw(parameter, stream.next().value);
      if (operation.framed === true) args['frame'] = 'input';
      steps.push({ op: operation.name, args });
      types.push(operation.takes === taken ? operation.gives : 'list');
    }
    if (types.at(-1) === 'list') steps.push({ op: 'compose', args: {} });
    return steps;
  });

function draw(parameter: Parameter, seed: number): Argument {
  switch (parameter.kind) {
    case 'colour':
      return seed % 10;
    case 'integer':
      return parameter.from + (seed % (parameter.to - parameter.from + 1));
    case 'choice':
      return parameter.of[seed % parameter.of.length] as string;
    case 'colours':
      return [seed % 10];
    case 'names':
      return [parameter.of[seed % parameter.of.length] as string];
    case 'table':
      return { [`${seed % 10}`]: `${(seed >> 4) % 10}`, '0': '@self' };
    default:
      return parameter;
  }
}

describe('programs', () => {
  it('of every operation type-check, print, read back and hash the same', () => {
    fc.assert(
      fc.property(programs, (program) => {
        expect(checkProgram(JSON.parse(JSON.stringify(program)))).toMatchObject({ kind: 'program' });
        const read = readProgram(printProgram(program));
        if (read.kind !== 'program') throw new Error(read.fault.message);
        expect(printProgram(read.program)).toBe(printProgram(program));
        const again = readProgram(printProgram(read.program));
        expect(again).toEqual(read);
        expect(again.kind === 'program' && programHash(again.program)).toBe(programHash(read.program));
      }),
    );
  });

  it('always end with a grid or with a reason', () => {
    fc.assert(
      fc.property(programs, grids(12, 6), (program, grid) => {
        const outcome = runProgram(program, grid);
        expect(['grid', 'EXEC', 'OVERSIZE', 'EMPTY']).toContain(outcome.kind);
        const { width, height, cells } = outcome.kind === 'grid' ? outcome.grid : pic('0');
        expect(cells.length).toBe(width * height);
        expect(cells.every((cell) => cell < 10)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('run alike twice', () => {
    fc.assert(
      fc.property(programs, grids(), (program, grid) => {
        expect(runProgram(program, grid)).toEqual(runProgram(program, grid));
      }),
    );
  });

  it('share values by reference', () => {
    const text =
      '$0 = filter(input, colour: 1)\n$1 = filter(input, colour: 2)\n$2 = move($0, motion: flip-left-right)\n$3 = stack([$2, $1]) in input';
    const parsed = readProgram(text);
    if (parsed.kind !== 'program') throw new Error(parsed.fault.message);
    const outcome = runProgram(parsed.program, pic('120', '000'));
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
    ['[{"op":"pick","args":{"by":"cells"}}]', 'TYPE', 'takes a list but is given an image'],
    ['[{"op":"rows"}]', 'TYPE', 'the last step gives a list'],
    ['[{"op":"embed"}]', 'TYPE', 'is size-bound and needs "frame"'],
    ['[{"op":"crop","args":{"of":0}}]', 'TYPE', '"of" is 0, not "input" or an earlier step'],
  ];
  for (const [text, kind, message] of cases)
    it(`of ${text} are ${kind}`, () => {
      const parsed = parseProgram(text);
      expect(parsed.kind === 'fault' && parsed.fault.kind).toBe(kind);
      expect(parsed.kind === 'fault' && parsed.fault.message).toContain(message);
    });

  it('of rule text name line and column', () => {
    const parsed = readProgram('$0 = crop(input)\n$1 = filter($0 colour: 2)');
    expect(parsed).toEqual({
      kind: 'fault',
      fault: { kind: 'PARSE', message: 'line 2, column 16: expected ")"' },
    });
    expect(readProgram('$3 = crop(input)')).toMatchObject({
      fault: { message: expect.stringContaining('expected $0') },
    });
  });
});
