import { asTyped } from '../core/invocation.ts';
import type { RunFinished } from '../shared/events.ts';
import type { RunSoFar } from './record.ts';
import { oneLine } from './width.ts';
import { plural } from '../shared/plural.ts';

/** Suggestions after a run with open goals, one per line. */
export function nextSteps(record: RunSoFar): string[] {
  const { started, finished } = record;
  const ended = record.newest(false);
  const refuted = ended.filter((goal) => goal.refuted !== null);
  const unsolved = ended.filter((goal) => goal.refuted === null && goal.attempts > 0);
  const open = record.leftOpen().length;
  const steps: string[] = [];
  const [wrong] = refuted;
  if (wrong)
    steps.push(
      `${plural(refuted.length, 'statement is', 'statements are')} false; orch why ${quoted(wrong.goal)} shows a counterexample`,
    );
  if (finished?.reason === 'drained' && record.solved > 0)
    steps.push(plural(record.solved, 'proof is kept in the ledger', 'proofs are kept in the ledger'));
  if (open > 0)
    steps.push(
      `${plural(open, 'goal is', 'goals are')} left open: ${endings[finished?.reason ?? 'failed']}; orch resume continues`,
    );
  const [first] = unsolved;
  if (first) {
    const isArc = started?.command.startsWith('arc') === true;
    steps.push(`orch why ${quoted(first.goal)} shows what was tried${isArc ? '' : ' and what Lean said'}`);
    const spent = unsolved.some(({ reason }) => reason.includes('--goal-cpu'));
    if (started && spent) steps.push(`--goal-cpu ${4 * started.config.goal_cpu} allows more CPU per goal`);
    else if (started?.config.profile === 0 && !isArc)
      steps.push('--profile 1 searches deeper and uses the library');
  }
  return steps.map((step) => asTyped(step));
}

const endings: Readonly<Record<RunFinished['reason'], string>> = {
  done: 'the run ended',
  timeout: 'the run timed out',
  drained: 'the run was stopped',
  failed: 'the run failed',
};

/** Quoted for a shell. */
export function quoted(name: string): string {
  const line = oneLine(name);
  return /^[\w.:/#-]+$/.test(line) ? line : `'${line.replaceAll("'", String.raw`'\''`)}'`;
}
