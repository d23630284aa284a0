import { branchesOf, targetsOf, type Branch } from '../shared/search-branches.ts';
import { figuresOf, type SearchTree } from '../shared/search-tree.ts';

const marks: Readonly<Record<Branch['kind'], string>> = { solved: '✓', waits: '○', dead: '✗', between: '·' };

/** The search of a goal as the goal's page draws it: every state, what led on from there, and how much failed. */
export function describeTree(tree: SearchTree): string[] {
  const { steps, cpu_seconds, open } = figuresOf(tree);
  const states = counted(tree.states.length, 'state');
  return [
    `search: ${counted(steps, 'step')} in ${cpu_seconds.toFixed(1)} s of Lean, ${states}, ${open} queued`,
    ...draw(branchesOf(tree), '  '),
    ...(tree.left_out > 0 ? [`  … and ${counted(tree.left_out, 'state')} more`] : []),
  ];
}

function draw(branch: Branch, margin: string): string[] {
  const { step, state, score, instead, kind, below, failures, cpuSeconds } = branch;
  const tactic = step?.tactic.replaceAll(/\s+/g, ' ').trim();
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
  ];
}

function leftBy({ step, instead, below }: Branch): string {
  if (instead !== null) return '';
  return step?.outcome === 'closed' ? 'no goals' : counted(below.length, 'goal');
}

const counted = (value: number, word: string): string => `${value} ${word}${value === 1 ? '' : 's'}`;
