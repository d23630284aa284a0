import { firstDifficulty, priorityFor } from '../../../core/difficulty.ts';
import { rewardOf } from '../../../core/rewards.ts';
import type { Verdict } from '../../gate/verdict.ts';
import {
  type EventBodies,
  type EventType,
  type RunEvent,
  type RunStarted,
  eventOf,
} from '../../../shared/events.ts';
import { describeGoal } from '../../goals/describe.ts';
import type { LeanGoal } from '../../goals/goal.ts';
import type { Contestant, Game } from './golf.ts';

interface PlayedGoal {
  readonly goal: LeanGoal;
  readonly game: Game;
}

/** The arm that would have found it. */
const arms: Readonly<Record<Contestant['by'], string | undefined>> = {
  'as it was': undefined,
  closers: 'micro/close',
  'the library': 'micro/library',
  search: 'micro/search',
  'a model': 'golf/model',
};
/** The arms' budget for a goal. */
const limits = { cpu_seconds: 8, heartbeats: 20_000 };

/**
 * Records shorter proofs as a separate run in the ledger. Later runs find them first, and the arms that would have found them are rewarded. Does nothing if no proof became shorter.
 */
export function golfRun(
  run: string,
  at: number,
  start: RunStarted,
  played: readonly PlayedGoal[],
): RunEvent[] {
  const won = played.flatMap(({ goal, game }) => {
    const arm = arms[game.winner.by];
    return game.verdict && arm !== undefined ? [{ goal, game, arm, verdict: game.verdict }] : [];
  });
  if (won.length === 0) return [];
  const events: RunEvent[] = [];
  const emit = <Type extends EventType>(type: Type, body: EventBodies[Type]): void => {
    events.push(eventOf({ type, run, at }, body));
  };
  const spent = won.reduce((sum, { game }) => sum + game.cpuSeconds, 0);
  emit('run-started', start);
  for (const [index, one] of won.entries()) tellGame(emit, `${run}-${index + 1}`, at, one);
  emit('run-finished', {
    reason: 'done',
    message: null,
    goals_total: won.length,
    goals_solved: won.length,
    cpu_seconds: spent,
    lean_cpu_seconds: spent,
    host_cpu_seconds: 0,
    wall_seconds: 0,
    utilisation: 0,
  });
  return events;
}

type Emit = <Type extends EventType>(type: Type, body: EventBodies[Type]) => void;

function tellGame(
  emit: Emit,
  attempt: string,
  at: number,
  { goal, game, arm, verdict }: PlayedGoal & { readonly arm: string; readonly verdict: Verdict },
): void {
  const { before, winner, cpuSeconds: all } = game;
  const { goalHash: goal_hash, fingerprint, context, features } = game.facts;
  const { cpuSeconds, proof } = winner;
  const strategy = arm.replace(/\/.*/, '');
  const difficulty = firstDifficulty(goal.label);
  const priority = priorityFor(difficulty, null, goal.node);
  emit('goal-added', { ...describeGoal(goal), difficulty, priority, requester: null });
  const examined = { goal_hash, fingerprint, context, features, difficulty, priority };
  const others = Math.max(0, all - cpuSeconds);
  emit('goal-examined', { goal: goal.id, ...examined, arms: [], tried: [], cpu_seconds: others });
  const common = {
    attempt,
    goal: goal.id,
    goal_hash,
    fingerprint,
    strategy,
    arm,
    signature: 'golf',
    parent: null,
  };
  emit('attempt-started', { ...common, slot: 'light', limits });
  const { axioms, assumes, assurance, toolchain, cpu_seconds, kind, message } = verdict;
  emit('candidate-judged', {
    attempt,
    goal: goal.id,
    goal_hash,
    strategy,
    arm,
    proof,
    premises: [],
    verdict: verdict.verdict,
    kind,
    message,
    assurance,
    axioms,
    assumes,
    toolchain,
    judge: verdict.judge,
    fingerprint: verdict.fingerprint,
    cpu_seconds,
  });
  const shortenedBy = 1 - winner.characters / Math.max(1, before.characters);
  emit('attempt-finished', {
    ...common,
    context,
    params: limits,
    started: at,
    outcome: 'solved',
    tactics: [proof],
    next_goals: [],
    premises: [],
    cache_hits: 0,
    cpu_seconds: cpuSeconds,
    wall_seconds: 0,
    peak_bytes: 0,
    gpu_seconds: 0,
    cloud_seconds: 0,
    input_tokens: 0,
    output_tokens: 0,
    error: null,
    reward: rewardOf({ workSeconds: cpuSeconds, budgetSeconds: limits.cpu_seconds, shortenedBy }),
  });
  emit('goal-closed', {
    goal: goal.id,
    solved: true,
    refuted: null,
    proof,
    assurance,
    strategy,
    arm,
    attempts: 1,
    cpu_seconds: all + cpu_seconds,
    axioms,
    assumes,
    reason: 'shortened',
  });
}
