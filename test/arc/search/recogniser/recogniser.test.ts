import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { choicesFor, type Choice } from '../../../../src/arc/language/variants.ts';
import { gridTokens } from '../../../../src/arc/search/recogniser/encode.ts';
import { allLabels, operationLabel } from '../../../../src/arc/search/recogniser/labels.ts';
import { Network } from '../../../../src/arc/search/recogniser/network.ts';
import { recognise, repriced, type Gain } from '../../../../src/arc/search/recogniser/recognise.ts';
import type { RuleOperation } from '../../../../src/arc/language/operation.ts';
import { operations } from '../../../../src/arc/language/registry.ts';
import { asImage } from '../../../../src/arc/language/trace.ts';
import { makeTasks, type MadeTask } from '../../../../src/arc/learning/synth/synth.ts';

const folder = new URL('../../../../policy/arc-recogniser/', import.meta.url);
const network = new Network(folder);

/** Seeds of the tasks that the network was trained on are below this. */
const unseenSeed = 1000;

function logitsOf({ task }: MadeTask): Float64Array {
  return network.logits(
    task.train.map(({ input, output }) => ({ input: gridTokens(input), output: gridTokens(output) })),
  );
}

/** The rank of a rule's labels, 0 being the most likely. */
function places({ program }: MadeTask, scores: ArrayLike<number>): number[] {
  const order = [...network.labels.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number));
  const placeOf = new Map(order.map((label, place) => [network.labels[label], place]));
  return program.flatMap(
    ({ op, args }) => placeOf.get(operationLabel(operations.get(op) as RuleOperation, args)) ?? [],
  );
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

describe('the recogniser', () => {
  it('ranks the operations of unseen rules much better than their frequency does', () => {
    const made = [...makeTasks(24, unseenSeed)];
    const seen = mean(made.flatMap((one) => places(one, logitsOf(one))));
    const frequent = mean(made.flatMap((one) => places(one, network.base)));
    expect(seen).toBeLessThan(frequent / 2);
  });

  it('gives the same numbers for the same pairs', () => {
    const [one] = [...makeTasks(1, unseenSeed + 1)] as [MadeTask];
    expect(logitsOf(one)).toEqual(logitsOf(one));
  });

  it('is small, and covers nearly all operations that the search tries', () => {
    const card = JSON.parse(readFileSync(new URL('card.json', folder), 'utf8')) as { parameters: number };
    expect(card.parameters).toBeLessThanOrEqual(3_000_000);
    expect(statSync(new URL('weights.bin', folder)).size).toBeLessThan(10_000_000);
    const known = new Set(network.labels);
    const today = allLabels();
    expect(today.filter((label) => known.has(label)).length).toBeGreaterThan(0.85 * today.length);
  });

  it('refuses weights that do not match its card', () => {
    const copy = mkdtempSync(join(tmpdir(), 'recogniser-'));
    cpSync(folder, copy, { recursive: true });
    const bytes = readFileSync(join(copy, 'weights.bin'));
    bytes[5000] = (bytes[5000] as number) ^ 1;
    writeFileSync(join(copy, 'weights.bin'), bytes);
    expect(() => new Network(pathToFileURL(`${copy}/`))).toThrow('does not belong to the card');
    rmSync(copy, { recursive: true });
  });

  it('lowers the cost of likely choices and raises that of unlikely ones, within a bound', () => {
    const { choices, gain } = lookAt(unseenSeed + 2);
    const moved = choices.map((choice) => repriced(choice, gain, { nat: 5, most: 7 }).cost - choice.cost);
    expect(Math.min(...moved)).toBeLessThan(0);
    expect(Math.max(...moved)).toBe(7);
    expect(moved.every((by) => Number.isInteger(by) && by >= -7)).toBe(true);
    const untrusted = choices.map((choice) => repriced(choice, gain, { nat: 5, most: 0 }).cost);
    expect(untrusted).toEqual(choices.map(({ cost }) => cost));
  });

  it('falls back to the family for an operation that it was not trained on', () => {
    const { choices, gain } = lookAt(unseenSeed + 2);
    const unheardOf = choices
      .filter(({ operation }) => ['pick', 'rest'].includes(operation.name))
      .map(({ operation }) => gain({ operation, args: { by: 'unheard of' } }));
    expect(unheardOf.length).toBeGreaterThan(3);
    expect(new Set(unheardOf).size).toBe(1);
    expect(unheardOf[0]).not.toBe(0);
  });
});

function lookAt(seed: number): { choices: Choice[]; gain: Gain } {
  const [{ task }] = [...makeTasks(1, seed)] as [MadeTask];
  const inputs = task.train.map(({ input }) => asImage(input));
  const outputs = task.train.map(({ output }) => asImage(output));
  return { choices: choicesFor(inputs, outputs, true), gain: recognise(inputs, outputs) };
}
