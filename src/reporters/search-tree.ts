import {
  bestUnfinished,
  branchesOf,
  neverProposed,
  reasonsOf,
  targetsOf,
  type Branch,
} from '../shared/search-branches.ts';
import { figuresOf, type SearchTree } from '../shared/search-tree.ts';
import { plural } from '../shared/plural.ts';

const marks: Readonly<Record<Branch['kind'], string>> = { solved: '✓', waits: '○', dead: '✗', between: '·' };

/** Limits per state; the JSON and the goal's page have more. */
const most = { reasons: 3, tactics: 4 };

/** The search tree of a goal: every state, the steps that made progress, and why the others failed. */
export function describeTree(tree: SearchTree): string[] {
  const { steps, cpu_seconds, open } = figuresOf(tree);
  const states = plural(tree.states.length, 'state');
  const root = branchesOf(tree);
  const never = neverProposed(tree);
  const next = bestUnfinished(root);
  return [
    `search: ${plural(steps, 'step')} in ${cpu_seconds.toFixed(1)} s of Lean, ${states}, ${open} queued`,
    ...(never.length === 0 || steps === 0 ? [] : [`  never proposed: ${never.join(', ')}`]),
    ...(next
      ? [`  best unfinished: ${[...next.path.map(oneLine), targetsOf(next.state.goals)].join(' → ')}`]
      : []),
    ...draw(root, '  '),
    ...(tree.left_out > 0 ? [`  … and ${plural(tree.left_out, 'state')} more`] : []),
  ];
}

function draw(branch: Branch, margin: string): string[] {
  const { step, state, score, instead, kind, below, failures, cpuSeconds } = branch;
  const tactic = step && oneLine(step.tactic);
  const left = state === null ? leftBy(branch) : targetsOf(state.goals);
  const told = [
    `${Math.round(cpuSeconds * 1000)} ms`,
    ...(instead === null ? [] : [instead]),
    ...(score === null ? [] : [`queued at ${score.toFixed(1)}`]),
    ...(failures.length === 0 ? [] : [`${failures.length} failed`]),
  ];
  const words = [tactic, left].filter(Boolean).join('  ');
  return [
    `${margin}${marks[kind]} ${words}  (${told.join(', ')})`,
    ...below.flatMap((each) => draw(each, `${margin}  `)),
    ...reasons(failures, `${margin}  `),
  ];
}

/** Failed steps at a state, grouped by Lean's message. */
function reasons(failures: Branch['failures'], margin: string): string[] {
  const all = reasonsOf(failures);
  const lines = all.slice(0, most.reasons).map(({ words, steps }) => {
    const tactics = steps.slice(0, most.tactics).map(({ tactic }) => oneLine(tactic));
    const more = steps.length > most.tactics ? ', …' : '';
    return `${margin}${steps.length} × ${words} [${tactics.join(', ')}${more}]`;
  });
  return all.length > most.reasons
    ? [...lines, `${margin}… and ${plural(all.length - most.reasons, 'more reason')}`]
    : lines;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function leftBy({ step, instead, below }: Branch): string {
  if (instead !== null) return '';
  return step?.outcome === 'closed' ? 'no goals' : plural(below.length, 'goal');
}
