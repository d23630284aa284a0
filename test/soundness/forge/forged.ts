import type { Verdict } from '../../../src/lean/gate/verdict.ts';
import type { Gate } from '../../../src/lean/gate/gate.ts';
import { SeededRandom } from '../../helpers/random.ts';
import { write, type Declaration } from './export.ts';
import { randomForgery, theoremName, type Forgery } from './forgery.ts';
import { declarationsOf, isTrue, randomTheory, typeOfFormula, type Theory } from './theory.ts';

/** A theory as the stater exports it, and a forger's export for it. */
export interface Forged {
  readonly number: number;
  readonly theory: Theory;
  readonly forgery: Forgery;
  readonly statement: string;
  readonly candidate: Record<string, unknown>;
}

export interface Judged extends Forged {
  readonly verdict: Verdict;
  readonly truth: boolean;
}

export function* forgedExports(seed: number, count: number): Generator<Forged> {
  for (let number = 0; number < count; number++) {
    const random = new SeededRandom(seed + number * 7919);
    const theory = randomTheory(random);
    const forgery = randomForgery(random, theory);
    const stated = { name: theoremName, type: typeOfFormula(theory.goal) };
    const declarations: readonly Declaration[] = declarationsOf(theory);
    yield {
      number,
      theory,
      forgery,
      statement: JSON.stringify(write({ declarations, statements: [stated] })),
      candidate: write(forgery),
    };
  }
}

export async function judgeForged(gate: Gate, forged: Forged): Promise<Judged> {
  const verdict = await gate.judgeData({}, { data: forged.statement, bound: [] }, forged.candidate, {
    deadlineMs: 20_000,
  });
  return { ...forged, verdict, truth: isTrue(forged.theory.goal) };
}

/** Failures: something false accepted, something honest refused, a judge that crashes. */
export function faultOf({ verdict, truth, forgery }: Judged): string | undefined {
  const isAccepted = verdict.verdict === 'accepted';
  if (isAccepted && !truth) return 'something false is accepted';
  if (isAccepted && (verdict.assumes.length > 0 || verdict.assurance !== 'replayed'))
    return 'an acceptance that rests on something';
  if (!isAccepted && truth && forgery.tricks.length === 0) return 'something honest is refused';
  if (verdict.kind === 'crash') return 'the judge dies';
  return undefined;
}

export const describeForged = ({ number, forgery, verdict, truth }: Judged): string =>
  `export ${number} (${truth ? 'true' : 'false'}; ${forgery.tricks.join(', ') || 'honest'}): ${verdict.verdict} ${verdict.kind} ${verdict.message}`;
