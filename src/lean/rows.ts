import type { Rows } from '../core/scheduler/domain.ts';
import { cacheArm, cacheStrategyName } from './cache/arms.ts';
import type { Verdict } from './gate/verdict.ts';
import { describeGoal } from './goals/describe.ts';
import type { LeanGoal } from './goals/goal.ts';
import type { Candidate, ScriptTrace } from './workbench/candidate.ts';

/** Lean goals, scripts and verdicts as columns of the ledger. */
export const leanRows: Rows<LeanGoal, Candidate, ScriptTrace, Verdict> = {
  goal: describeGoal,
  candidate: ({ proof, premises }) => ({ proof, premises }),
  recall: {
    strategy: cacheStrategyName,
    arm: cacheArm('proved'),
    artifact: (proof) => ({ proof, premises: [] }),
  },
  noTrace: { tactics: [], nextGoals: [], premises: [] },
  traceOf: ({ proof }) => ({ tactics: [proof], nextGoals: [], premises: [] }),
  attempt: ({ tactics, nextGoals, premises }) => ({ tactics, next_goals: nextGoals, premises }),
  evidence: ({ axioms, assumes, toolchain, judge, fingerprint }) => ({
    axioms,
    assumes,
    toolchain,
    judge,
    fingerprint,
  }),
  closed: (verdict) => ({ axioms: verdict?.axioms ?? [], assumes: verdict?.assumes ?? [] }),
};
