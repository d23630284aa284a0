import type { WorkState, Workbench } from '../../workbench/workbench.ts';
import type { Bench } from '../../search/bench.ts';
import type { MicroArm } from './arm.ts';
import { list } from '../../search/closers.ts';
import { finish, fromIntroduced } from '../../search/finish.ts';

/** Aesop in best-first mode, with at most 60 rule applications and depth 8. */
export const aesopArm: MicroArm = {
  name: 'micro/aesop',
  version: '1',
  stage: 1,
  isFor: ({ tactics }) => tactics.has('aesop'),
  async search(bench, root) {
    const bounds =
      '(config := { strategy := .bestFirst, maxRuleApplications := 60, maxRuleApplicationDepth := 8 })';
    const lemmas = bench.facts.lemmas.map((name) => `(add unsafe 60% ${name})`).join(' ');
    const simp = bench.facts.definitions.map((name) => `(add norm simp ${name})`).join(' ');
    const tactics = [`aesop ${bounds}`, `aesop ${simp} ${lemmas} ${bounds}`];
    return await finish(bench, root, [{ heartbeats: 10_000, tactics }]);
  },
};

const closing = ['ring', 'norm_num', 'linarith', 'positivity', 'nlinarith', 'tauto', 'field_simp', 'gcongr'];

/** Mathlib's tactics for arithmetic, order and propositional logic; opening the goal checked which exist. */
export const mathlibArm: MicroArm = {
  name: 'micro/mathlib',
  version: '1',
  stage: 1,
  isFor: ({ tactics }) => closing.some((tactic) => tactics.has(tactic)),
  async search(bench, root) {
    const tactics = mathlibTactics(bench.workbench, bench);
    return await fromIntroduced(
      bench,
      root,
      async (start: WorkState) => await finish(bench, start, [{ heartbeats: 10_000, tactics }]),
    );
  },
};

function mathlibTactics({ tactics }: Workbench, { facts }: Bench): string[] {
  const definitions = list(facts.definitions);
  const plain = closing.filter((tactic) => tactics.has(tactic));
  const pairs: [string, string, string][] = [
    ['norm_num', 'ring', `(norm_num${definitions}; ring)`],
    ['field_simp', 'ring', '(field_simp; ring)'],
    ['push_neg', 'linarith', '(push_neg at *; linarith)'],
    ['norm_num', 'linarith', `(norm_num${definitions} at *; linarith)`],
  ];
  return [
    ...plain,
    ...(tactics.has('norm_num') ? [`norm_num${definitions}`] : []),
    ...pairs
      .filter(([first, second]) => tactics.has(first) && tactics.has(second))
      .map(([, , tactic]) => tactic),
  ];
}
