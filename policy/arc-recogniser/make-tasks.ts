import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gridTokens } from '../../src/arc/search/recogniser/encode.ts';
import { allLabels, familyLabel, operationLabel } from '../../src/arc/search/recogniser/labels.ts';
import type { RuleOperation } from '../../src/arc/language/operation.ts';
import type { Program } from '../../src/arc/language/program.ts';
import { operations } from '../../src/arc/language/registry.ts';
import { makeTasks } from '../../src/arc/learning/synth/synth.ts';

/**
 * Made tasks for `train.py`: records of one size, each the cells of three pairs (input, output; 30×30 tokens) and the
 * labels of the rule as 16 16-bit numbers, 65535 where there is none. `--labels` only prints what the numbers stand for.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
    labels: { type: 'boolean', default: false },
  },
});
const labels = allLabels();
const numberOf = new Map(labels.map((label, i) => [label, i]));
const mostLabels = 16;
const none = 0xffff;

if (values.labels || values.out === undefined) process.stdout.write(`${JSON.stringify(labels)}\n`);
else write(values.out, Number(values.count), Number(values.seed));

function write(file: string, count: number, seed: number): void {
  const descriptor = openSync(file, 'w');
  for (const { task, program } of makeTasks(count, seed)) {
    const grids = task.train.flatMap(({ input, output }) => [gridTokens(input), gridTokens(output)]);
    const numbers = new Uint16Array(mostLabels).fill(none);
    numbers.set(numbersOf(program).slice(0, mostLabels));
    writeSync(descriptor, Buffer.concat([...grids, new Uint8Array(numbers.buffer)]));
  }
  closeSync(descriptor);
}

function numbersOf(program: Program): number[] {
  const said = program.flatMap(({ op, args }) => {
    const operation = operations.get(op) as RuleOperation;
    return [operationLabel(operation, args), familyLabel(operation)];
  });
  return [...new Set(said)].flatMap((label) => numberOf.get(label) ?? []);
}
