import type { Judgement } from '../../core/verdict.ts';
import { conditionalKind } from '../../shared/assurance.ts';
import type { Verdict } from './verdict.ts';

/** The gate's verdict in the engine's terms. */
export function judgementOf(
  verdict: Verdict,
  hashes: ReadonlyMap<string, string> = new Map(),
): Judgement<Verdict> {
  const { kind, message, assurance, cpu_seconds } = verdict;
  const undecided = undecidedBy(kind);
  return {
    verdict: verdict.verdict,
    kind,
    message,
    assurance,
    ...(undecided && { undecided }),
    ...(kind === conditionalKind && {
      given: verdict.assumes.map((name) => ({ name, goal_hash: hashes.get(name) ?? '' })),
    }),
    evidence: verdict,
    cpuSeconds: cpu_seconds,
  };
}

function undecidedBy(kind: string): Judgement<Verdict>['undecided'] {
  if (kind === 'cancelled') return 'cancelled';
  return kind === 'crash' || kind === 'invalid-request' ? 'broken' : undefined;
}
