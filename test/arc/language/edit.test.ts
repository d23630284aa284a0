import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressesOf, stepName, valueAt, withValueAt } from '../../../src/arc/language/address.ts';
import { directiveKinds, edit, type Workshop } from '../../../src/arc/search/edit.ts';
import { candidateId, normalForm } from '../../../src/arc/language/normal.ts';
import { checkProgram, type Program } from '../../../src/arc/language/program.ts';
import { compile } from '../../../src/arc/language/run.ts';
import { opsSignature } from '../../../src/arc/language/signature.ts';
import { targetsAt, traceAll } from '../../../src/arc/language/trace.ts';
import type { Task } from '../../../src/arc/grid/task.ts';
import { verify } from '../../../src/arc/verify/verify.ts';
import { programs } from '../arbitrary-programs.ts';
import { grids, pic } from '../arbitrary.ts';
import { inventedTask } from '../invented.ts';

const fragment: Program = [
  { op: 'crop', args: {} },
  { op: 'move', args: { motion: 'flip-left-right' } },
];

function workshopOf(task: Pick<Task, 'train' | 'test'>): Workshop {
  return { task, fragments: [fragment], drafts: [[flip()]], spend: () => undefined };
}

const tasks = fc
  .tuple(grids(5, 3), grids(5, 3), grids(5, 3))
  .map(([input, output, test]) => ({ train: [{ input, output }], test: [test] }));

describe('edits', () => {
  it('type-check, terminate, and differ from the parent and from each other, for every directive', () => {
    fc.assert(
      fc.property(
        programs,
        tasks,
        fc.nat(),
        fc.constantFrom(...directiveKinds),
        (program, task, at, kind) => {
          const parent = normalForm(program);
          const directive = { kind, step: at % parent.length };
          const made = [...edit(parent, directive, workshopOf(task)).take(12)];
          const ids = made.map(candidateId);
          expect(ids).not.toContain(candidateId(parent));
          expect(new Set(ids).size).toBe(ids.length);
          for (const one of made) {
            expect(checkProgram(JSON.parse(JSON.stringify(one)))).toMatchObject({ ok: true });
            expect(['grid', 'EXEC', 'OVERSIZE', 'EMPTY']).toContain(
              compile(one)(task.test[0] as Task['test'][0]).kind,
            );
          }
          expect([...edit(parent, directive, workshopOf(task)).take(12)].map(candidateId)).toEqual(ids);
        },
      ),
      { numRuns: 60 },
    );
  });

  const wrong: Record<(typeof directiveKinds)[number], readonly [string, Program]> = {
    ADD_STEP: ['holes', [{ op: 'origin', args: {} }]],
    DROP_STEP: ['flip', [flip(), { op: 'hull', args: {} }]],
    REPLACE_OP: ['flip', [{ op: 'hull', args: {} }]],
    CHANGE_ARG: ['flip', [{ op: 'move', args: { motion: 'rotate90' } }]],
    CHANGE_SELECTOR: ['largest', [cut(), { op: 'pick', args: { by: '-cells' } }, { op: 'crop', args: {} }]],
    FIX_SIZE: ['panels-and', panelsAnd('input')],
    REMAP_COLOUR: ['panels-and', [...panelsAnd(0).slice(0, -1), { op: 'paint', args: { colour: 3 } }]],
    CHANGE_CONNECTIVITY: [
      'connected',
      [
        { op: 'cut', args: { by: 'block' } },
        { op: 'pick', args: { by: 'cells' } },
        { op: 'crop', args: {} },
      ],
    ],
    ADD_CONDITION: ['ground', [{ op: 'empty_as', args: { colour: 3 } }]],
    REORDER: [
      'halved',
      [
        { op: 'half', args: { side: 'left' } },
        { op: 'move', args: { motion: 'flip-left-right' } },
      ],
    ],
    SPLICE_FRAGMENT: ['turned', [{ op: 'origin', args: {} }]],
    RESTART: ['flip', [{ op: 'crop', args: {} }]],
  };

  it.each(directiveKinds)('%s edits repair a program with one fault', (kind) => {
    const [id, program] = wrong[kind];
    const task = own[id] ?? inventedTask(id);
    expect(verify(program, task).solved).toBe(false);
    const mended = normalForm(program).flatMap((_, step) =>
      [...edit(program, { kind, step }, workshopOf(task)).take(400)].filter(
        (one) => verify(one, task).solved,
      ),
    );
    expect(mended.length).toBeGreaterThan(0);
  });
});

describe('addresses', () => {
  const program: Program = [
    { op: 'cut', args: { by: 'object', of: 'input' } },
    { op: 'pick', args: { by: 'cells', of: 0 } },
    { op: 'recolour', args: { of: 1, table: { 1: '2' } } },
  ];

  it('name every argument, table entry and list element', () => {
    expect(addressesOf(program).map(({ step, path }) => `${step} ${path}`)).toEqual([
      '0 by',
      '0 of',
      '1 by',
      '1 of',
      '2 of',
      '2 table',
      '2 table[1]',
    ]);
    expect(valueAt(program, { step: 2, path: 'table[1]' })).toBe('2');
    expect(valueAt(program, { step: 2, path: 'table[7]' })).toBeUndefined();
    const changed = withValueAt(program, { step: 2, path: 'table[1]' }, '5');
    expect(valueAt(changed, { step: 2, path: 'table[1]' })).toBe('5');
    expect(withValueAt(program, { step: 2, path: 'table[1]' }, undefined)[2]?.args['table']).toEqual({});
  });

  it('read back what they wrote and change nothing else', () => {
    fc.assert(
      fc.property(programs, fc.nat(), (any, at) => {
        const all = addressesOf(any);
        const address = all[at % all.length] as (typeof all)[number];
        const value = valueAt(any, address) as string;
        expect(withValueAt(any, address, value)).toEqual(any);
      }),
    );
  });

  it('the address of a step stays when other steps are added or removed', () => {
    const name = stepName(program, 1);
    const longer: Program = [{ op: 'hull', args: { of: 'input' } }, ...shifted(program)];
    expect(stepName(longer, 2)).toBe(name);
    expect(stepName(longer, 0)).not.toBe(name);
  });

  it('signatures of programs contain operations but no constants', () => {
    const other = withValueAt(program, { step: 2, path: 'table' }, { 3: '4' });
    expect(opsSignature(other)).toBe(opsSignature(program));
    expect(opsSignature(program)).toMatch(
      /^cut\(input,by:choice\) pick\(step,by:choice\) recolour\(step,table:table\) #/,
    );
    expect(opsSignature(program.slice(0, 2))).not.toBe(opsSignature(program));
  });

  it('the trace has the value after each step, and outputs in the program’s view', () => {
    const [trace] = traceAll(program, [pic('110', '000', '003')]);
    expect(trace?.values).toHaveLength(3);
    expect(trace?.outcome.kind).toBe('grid');
    const turned: Program = [
      { op: 'orient', args: { by: 'transpose', of: 'input' } },
      { op: 'hull', args: { of: 0 } },
      { op: 'unorient', args: { by: 'transpose', of: 1 } },
    ];
    const pair = { input: pic('12', '00'), output: pic('12', '30') };
    expect([...(targetsAt(turned, 1, [pair])?.[0]?.cells ?? [])]).toEqual([1, 3, 2, 0]);
    expect(targetsAt(turned, 0, [pair])).toBeNull();
  });
});

function flip(): Program[number] {
  return { op: 'move', args: { motion: 'flip-left-right' } };
}

function cut(): Program[number] {
  return { op: 'cut', args: { by: 'object' } };
}

/** The panels combined, painted, and brought to the size of a frame: of the first panel, or wrongly of the input. */
function panelsAnd(frame: 'input' | number): Program {
  return [
    { op: 'half', args: { side: 'left' } },
    { op: 'panels', args: { of: 'input' } },
    { op: 'combine', args: { logic: 'and', of: 1 } },
    { op: 'embed', args: { of: 2, frame } },
    { op: 'paint', args: { colour: 2 } },
  ];
}

/** The same steps one place later, on the step that now stands first. */
function shifted(program: Program): Program {
  return program.map(({ op, args }) => ({
    op,
    args: { ...args, of: args['of'] === 'input' ? 'input' : Number(args['of']) + 1 },
  }));
}

const own: Record<string, Pick<Task, 'train' | 'test'>> = {
  connected: {
    train: [{ input: pic('1000', '0100', '0010', '3300'), output: pic('100', '010', '001') }],
    test: [pic('2000', '0200', '0020', '3300')],
  },
  ground: {
    train: [{ input: pic('101', '000'), output: pic('131', '333') }],
    test: [pic('020')],
  },
  halved: {
    train: [{ input: pic('1203', '4506'), output: pic('30', '60') }],
    test: [pic('1200', '4500')],
  },
  turned: {
    train: [{ input: pic('000', '120'), output: pic('21') }],
    test: [pic('340', '000')],
  },
};
