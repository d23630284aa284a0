import { z } from 'zod';
import { factKinds, type Fact } from '../../grid/facts/describe.ts';
import { kindOfWord } from '../../grid/facts/features.ts';
import { operationPrior, trainStudent, type StudentLesson } from './student.ts';

/** A describer restricted to these kinds of facts, which indicate the operations that a task needs. */
export const describerSchema = z.strictObject({
  kind: z.literal('arc-describer'),
  version: z.literal(1),
  kinds: z.array(z.enum(factKinds)),
  card: z.record(z.string(), z.unknown()),
});
export type DescriberCheckpoint = z.infer<typeof describerSchema>;

export function keptFacts({ kinds }: DescriberCheckpoint, facts: readonly Fact[]): Fact[] {
  return facts.filter(({ kind }) => kinds.includes(kind));
}

/**
 * Goes through the kinds of facts once and drops each that does not help: without it, a student ranks the operations of unseen
 * rules as well as with it. Each half of the lessons is ranked by a student of the other half.
 */
export function trainDescriber(lessons: readonly StudentLesson[]): DescriberCheckpoint {
  let kinds: readonly (typeof factKinds)[number][] = factKinds;
  const all = placing(lessons, kinds);
  let best = all;
  // a single lesson cannot predict unseen ones
  for (const dropped of lessons.length < 2 ? [] : factKinds) {
    const fewer = kinds.filter((kind) => kind !== dropped);
    const found = placing(lessons, fewer);
    if (found <= best) [kinds, best] = [fewer, found];
  }
  return {
    kind: 'arc-describer',
    version: 1,
    kinds: [...kinds],
    card: { lessons: lessons.length, mean_place_all: all, mean_place: best },
  };
}

/** The quality of a checkpoint's facts on other lessons: with its kinds, and with all. Lower is better. */
export function evaluateDescriber(
  { kinds }: DescriberCheckpoint,
  lessons: readonly StudentLesson[],
): { readonly lessons: number; readonly mean_place: number; readonly mean_place_all: number } {
  return {
    lessons: lessons.length,
    mean_place: placing(lessons, kinds),
    mean_place_all: placing(lessons, factKinds),
  };
}

/** The mean rank of the operations of unseen rules in the student's order; lower is better. */
function placing(lessons: readonly StudentLesson[], kinds: readonly string[]): number {
  const narrowed = lessons.map(({ fact_features, program }) => ({
    program,
    fact_features: fact_features.filter((word) => kinds.includes(kindOfWord(word))),
  }));
  const places = [0, 1].flatMap((half) => {
    const student = trainStudent(narrowed.filter((_, i) => i % 2 !== half));
    return narrowed
      .filter((_, i) => i % 2 === half)
      .flatMap(({ fact_features, program }) => {
        const order = operationPrior(student, fact_features).map(({ op }) => op);
        return program.map(({ op }) => order.indexOf(op) + 1);
      });
  });
  const sum = places.reduce((total, place) => total + place, 0);
  return Math.round((1000 * sum) / Math.max(1, places.length)) / 1000;
}
