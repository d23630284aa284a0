import { definite } from '../../../core/errors.ts';
import { z } from 'zod';
import { choicesFor } from '../../language/variants.ts';
import { factFeatures } from '../../grid/facts/features.ts';
import type { Image } from '../../language/image.ts';
import { normalForm } from '../../language/normal.ts';
import type { Program } from '../../language/program.ts';
import { operations } from '../../language/registry.ts';
import { Emitter } from '../../search/emit.ts';
import { Graph } from '../../search/graph.ts';
import { everywhereOf, Pieces } from '../../search/pieces.ts';
import { fitTable, tableShape } from '../../search/refit.ts';
import { asImage } from '../../language/trace.ts';
import { sameGrid } from '../../grid/grid.ts';
import type { Draft, DraftRequest, Proposed, Ruler } from '../rulers/ruler.ts';

/**
 * A student: how often each operation occurred in rules of tasks with each word of facts, and the features that tables used.
 */
export const studentSchema = z.strictObject({
  kind: z.literal('arc-student'),
  version: z.literal(2),
  rules: z.int().min(0),
  /** The shapes of cell rules, those of most rules first. */
  tables: z.array(
    z.strictObject({
      features: z.array(z.string()),
      sources: z.array(z.string()),
      rules: z.int().min(1),
    }),
  ),
  operations: z.record(z.string(), z.int().min(0)),
  words: z.record(z.string(), z.record(z.string(), z.int().min(0))),
  card: z.record(z.string(), z.unknown()),
});
export type StudentCheckpoint = z.infer<typeof studentSchema>;

/** A rule and the words of its task, from which a student learns. */
export interface StudentLesson {
  readonly fact_features: readonly string[];
  readonly program: Program;
}

export function trainStudent(lessons: readonly StudentLesson[]): StudentCheckpoint {
  const counts: Record<string, number> = {};
  const words: Record<string, Record<string, number>> = {};
  for (const { fact_features, program } of lessons) {
    for (const op of new Set(program.map((step) => step.op))) {
      counts[op] = (counts[op] ?? 0) + 1;
      for (const word of fact_features) {
        const said = (words[word] ??= {});
        said[op] = (said[op] ?? 0) + 1;
      }
    }
  }
  return {
    kind: 'arc-student',
    version: 2,
    rules: lessons.length,
    tables: shapesIn(lessons),
    operations: sorted(counts),
    words: sorted(Object.fromEntries(Object.entries(words).map(([word, said]) => [word, sorted(said)]))),
    card: { lessons: lessons.length },
  };
}

/** The built-in student: it has seen no rule, so all plain operations are equally likely. */
export const untrainedStudent: StudentCheckpoint = {
  ...trainStudent([]),
  operations: Object.fromEntries([...operations.keys()].sort().map((op) => [op, 0])),
};

function shapesIn(lessons: readonly StudentLesson[]): StudentCheckpoint['tables'] {
  const counts = new Map<string, number>();
  for (const { program } of lessons)
    for (const step of normalForm(program)) {
      const shape = tableShape(step);
      if (shape === null) continue;
      const key = JSON.stringify([shape.features, shape.sources]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([key, rules]) => {
      const [features, sources] = JSON.parse(key) as [string[], string[]];
      return { features, sources, rules };
    });
}

function sorted<Part>(record: Record<string, Part>): Record<string, Part> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every operation with its weight for a task, most likely first: smoothed counts under the task's words. */
export function operationPrior(
  { rules, operations: counts, words }: StudentCheckpoint,
  features: readonly string[],
): { readonly op: string; readonly cost: number }[] {
  return [...operations.keys()]
    .map((op) => {
      const prior = ((counts[op] ?? 0) + 0.1) / (rules + 10);
      const likelihoods = features.map(
        (word) => ((words[word]?.[op] ?? 0) + prior) / ((counts[op] ?? 0) + 1),
      );
      const mean =
        likelihoods.reduce((sum, value) => sum + Math.log(value), 0) / Math.max(1, likelihoods.length);
      return { op, cost: Math.round((-Math.log(prior) - mean) * 1000) / 1000 };
    })
    .sort((a, b) => a.cost - b.cost || (a.op < b.op ? -1 : 1));
}

/** The student's share of the drafts' nodes, and the limits of its chains; costs are in tenths of a nat. */
const share = 0.03;
const chains = { cost: 300, tuples: 20_000 };

/** A ruler that tries tables of known shapes, then plain chains of operations in order of its prior. It proposes no edits. */
export function studentRuler(checkpoint: StudentCheckpoint, source: Ruler['source'] = 'student'): Ruler {
  return {
    name: 'student',
    source,
    draft: (request) => Promise.resolve(tabled(checkpoint, request)),
    edit: () => Promise.resolve({ drafts: [], nodes: 0 }),
  };
}

/** The first table of a known shape that fits; otherwise chains are tried with the remaining nodes. */
function tabled(checkpoint: StudentCheckpoint, { task, facts, nodes }: DraftRequest): Proposed {
  const inputs = [...task.train.map(({ input }) => input), ...task.test].map(asImage);
  const targets = task.train.map(({ output }) => asImage(output));
  const most = nodes * share;
  let spent = 0;
  const spend = (cost: number): void => {
    spent += cost;
  };
  const isSameSize = targets.every(
    ({ width, height }, i) => inputs[i]?.width === width && inputs[i].height === height,
  );
  for (const shape of isSameSize ? checkpoint.tables : []) {
    if (spent >= most) break;
    const fitted = fitTable({ bases: inputs, targets, inputs }, shape, spend);
    if (fitted !== null) return { drafts: [draftOf([{ op: 'cells', args: fitted.args }])], nodes: spent };
  }
  const chained = chainOf(checkpoint, facts, inputs, targets, most - spent);
  return { ...chained, nodes: chained.nodes + spent };
}

/** The most likely chain that gives every output. */
function chainOf(
  checkpoint: StudentCheckpoint,
  facts: DraftRequest['facts'],
  inputs: readonly Image[],
  targets: readonly Image[],
  work: number,
): Proposed {
  const costs = new Map(operationPrior(checkpoint, factFeatures(facts)).map(({ op, cost }) => [op, cost]));
  const choices = choicesFor(inputs, targets, false)
    .filter(({ operation }) => checkpoint.operations[operation.name] !== undefined)
    .map((choice) => ({
      ...choice,
      cost: Math.round(10 * definite(costs.get(choice.operation.name))) + choice.cost,
    }));
  const bounds = choices.map(({ bound }) => bound);
  const graphs = inputs.map((input) => new Graph(input, null, bounds, everywhereOf(choices)));
  const pieces = new Pieces(graphs, choices);
  const found: Program[] = [];
  pieces.grow({ ...chains, work }, (tuple) => {
    const images = tuple === 0 ? null : pieces.images(tuple);
    if (images === null || !targets.every((target, i) => sameGrid(target, definite(images[i])))) return false;
    const emitter = new Emitter([]);
    emitter.from(pieces, tuple);
    found.push(emitter.steps);
    return true;
  });
  return { drafts: found.slice(0, 1).map(draftOf), nodes: pieces.work };
}

function draftOf(program: Program): Draft {
  return { value: program, by: 'student', held: 1, parent_id: null, directive: null };
}
