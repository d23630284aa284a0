import { declarationIn, withoutTry } from '../../shared/goal-names.ts';
import type { GoalRow } from '../../shared/ledger.ts';
import { uncheckedReason } from '../../store/ledger/unchecked.ts';
import { criticalNodes, criticalPath } from './critical.ts';
import type { StatedBlueprint } from './states.ts';

/**
 * The queue for larger budgets: goals that earlier runs left open and that other work waits for. `rows`: those of earlier runs, newest first. A goal is critical if it is on the blueprint's longest open chain or blocks another open node; without a blueprint, all open goals count.
 */
export function stuckGoals(
  rows: readonly GoalRow[],
  stated: StatedBlueprint | undefined,
): readonly GoalRow[] {
  const known = Map.groupBy(
    rows.filter(({ source }) => /\.lean:\d+$/.test(source ?? '')),
    ({ goal, source }) => `${fileOf(source)}\n${withoutTry(goal)}`,
  );
  const critical = stated && criticalDeclarations(stated);
  return [...known.values()].flatMap((all) => {
    const [latest] = all;
    const isStuck =
      latest?.status === 'unsolved' &&
      latest.attempts > 0 &&
      !all.some(({ status, reason }) => status === 'solved' || reason === uncheckedReason) &&
      (critical?.has(declarationIn(latest.goal)) ?? true);
    return isStuck ? [latest] : [];
  });
}

/** `A/B.lean:12` is in `A/B.lean`. */
function fileOf(source: string | null): string {
  return (source ?? '').replace(/:\d+$/, '');
}

function criticalDeclarations(stated: StatedBlueprint): ReadonlySet<string> {
  const blocking = criticalNodes(stated)
    .filter(({ blocks }) => blocks > 0)
    .map(({ statement }) => statement);
  return new Set([...blocking, ...criticalPath(stated)].flatMap(({ declarations }) => declarations));
}
