import type { ArmOffer, EventBodies, EventType, GoalColumns } from '../../shared/events.ts';
import { difficultyOf, pinnedPriority, priorityFor } from '../difficulty.ts';
import { effortRow, type Effort, type Strategy } from '../strategy.ts';
import { nextStep } from './decide.ts';
import type { Domain, Memory, Opened, Permit } from './domain.ts';
import type { LemmaTrade } from './lemma-trade.ts';
import type { Given } from './goal-state.ts';
import { lastRound } from './loop-guard.ts';
import type { LemmaPlans } from './lemma-plans.ts';
import { signatureOf, type OpenedGoal, type Proof, type Race } from './race.ts';
import type { Schedule } from './schedule.ts';

/** The part of the engine that a visit uses. */
export interface Host<Goal, Work, Artifact, Trace, Evidence> {
  readonly domain: Domain<Goal, Work, Artifact, Trace, Evidence>;
  readonly strategies: readonly Strategy<Work, Artifact, Trace>[];
  readonly memory: Memory;
  readonly schedule: Schedule;
  readonly race: Race<Goal, Work, Artifact, Trace, Evidence>;
  readonly trade: LemmaTrade<Goal, Work>;
  readonly plans: LemmaPlans<Goal, Artifact>;
  /** Proofs from other goals that were judged again, with the goals above that were proved then. */
  readonly settled: Set<string>;
  readonly weights: Readonly<Record<string, number>>;
  readonly pins?: ReadonlySet<string>;
  readonly permit: Permit;
  readonly isEnding: () => boolean;
  /** Resolves on the next event: an attempt ended, a goal was added, a user sent a request. */
  readonly nextChange: () => Promise<void>;
  readonly now: () => number;
  readonly emit: <Type extends EventType>(type: Type, body: EventBodies[Type], at?: number) => void;
  readonly close: (
    id: string,
    proof: Proof<Artifact, Evidence> | undefined,
    reason: string,
    refuted?: string,
  ) => void;
}

/** After this many failed slates the goal may be false: look for a counterexample before spending more. */
const cheapSlates = 2;
/** Give up after this many failed openings in a row. */
const maxOpenings = 3;

/** One goal with one worker, until it is closed, parked, withdrawn, or the run ends. */
export async function visit<Goal, Work, Artifact, Trace, Evidence>(
  host: Host<Goal, Work, Artifact, Trace, Evidence>,
  id: string,
  goal: Goal,
  signal: AbortSignal,
): Promise<void> {
  const { domain, emit, close } = host;
  if (await settle(host, id, goal, signal)) return;
  const opened = await open(host, id, goal, signal);
  try {
    if (opened.kind === 'open' && !signal.aborted) {
      const openGoal = { id, work: opened.work, facts: opened.facts, signal };
      await examine(host, goal, openGoal, opened);
      await work(host, goal, openGoal);
      return;
    }
    emit('goal-charged', { goal: id, goal_hash: null, ...effortRow(opened), reason: 'opening' });
    if (signal.aborted) return;
    if (opened.kind === 'unreadable') close(id, undefined, opened.message);
    if (opened.kind === 'broken') couldNotOpen(host, id, opened.message);
  } finally {
    if (opened.kind === 'open') await domain.close(opened.work);
  }
}

/** Opens the goal with matching finished lemmas, or without them if they cannot be read at its position. */
async function open<Goal, Work, Artifact, Trace, Evidence>(
  { domain, trade, emit, permit, now }: Host<Goal, Work, Artifact, Trace, Evidence>,
  id: string,
  goal: Goal,
  signal: AbortSignal,
): Promise<Opened<Work>> {
  const given = await trade.withFound(id, goal, now());
  const opened = await domain.open(given, permit, signal);
  if (opened.kind !== 'unreadable' || given === goal) return opened;
  trade.leaveAlone(id);
  emit('note', { level: 'info', text: `${id} continues without them: ${opened.message}` });
  emit('goal-charged', { goal: id, goal_hash: null, ...effortRow(opened), reason: 'opening' });
  return await domain.open(goal, permit, signal);
}

async function examine<Goal, Work, Artifact, Trace, Evidence>(
  { domain, strategies, memory, schedule, weights, pins, emit }: Host<Goal, Work, Artifact, Trace, Evidence>,
  goal: Goal,
  { id, work: opened, facts }: OpenedGoal<Work>,
  effort: Effort,
): Promise<void> {
  const { goalHash, fingerprint, context } = facts;
  const arms = strategies.flatMap((strategy) =>
    strategy.arms(opened).map((arm): ArmOffer => {
      const { name, slot, budget, isExhaustive } = strategy;
      const signature = signatureOf(arm, facts);
      return {
        arm: arm.name,
        strategy: name,
        slot: arm.slot ?? slot,
        signature,
        budget: arm.budget ?? budget,
        stage: arm.stage ?? 0,
        ...(isExhaustive && { exhaustive: true }),
        ...(arm.round !== undefined && { round: arm.round }),
      };
    }),
  );
  const features = { ...facts.features, failures: await memory.failures(goalHash) };
  const { goal: name, label, estimate, node } = domain.rows.goal(goal);
  const difficulty = difficultyOf(features, estimate ?? label, weights);
  const { requester, tried, isRetried, wantedPriority } = schedule.goal(id);
  // a second visit in the same run skips what the first one tried; a user's retry resets the loop guard
  const before = isRetried || tried.length > 0 ? tried : await memory.tried(goalHash, fingerprint);
  emit('goal-examined', {
    goal: id,
    goal_hash: goalHash,
    fingerprint,
    context,
    features,
    difficulty,
    priority:
      wantedPriority ??
      (isPinned({ goal: name, ...(node && { node }) }, pins)
        ? pinnedPriority
        : priorityFor(difficulty, requester, node)),
    arms,
    tried: before,
    ...effortRow(effort),
  });
}

/** Matches a goal by its name, the end of its name after a file, or its node. */
export function isPinned(
  { goal, node }: Pick<GoalColumns, 'goal' | 'node'>,
  pins: ReadonlySet<string> = new Set(),
): boolean {
  return pins.has(goal) || pins.has(goal.replace(/^.* /, '')) || (node !== undefined && pins.has(node.id));
}

async function work<Goal, Work, Artifact, Trace, Evidence>(
  host: Host<Goal, Work, Artifact, Trace, Evidence>,
  goal: Goal,
  opened: OpenedGoal<Work>,
): Promise<void> {
  const { id, facts, signal } = opened;
  const { domain, schedule, race, trade, plans, memory, emit, close } = host;
  const { tried } = schedule.goal(id);
  const known = await memory.provedBefore(facts.goalHash);
  let proof = await race.recall(opened, known, tried);
  let mayAsk = true;
  // since the last search for a counterexample; failures of earlier runs count
  let slates = Math.min(tried.length, cheapSlates);
  while (!proof && !host.isEnding() && !signal.aborted) {
    if (toSettle(host, id, ['proved']).length > 0) {
      // judged again by the next visit, when this one has given back its worker
      emit('goal-parked', { goal: id, until: host.now(), reason: 'given', ticket: null });
      return;
    }
    const assembled = plans.take(id);
    if (assembled) {
      proof = await race.offer(opened, assembled);
      continue;
    }
    const at = host.now();
    const step = nextStep(schedule, id, at, mayAsk);
    const mayBeFalse = schedule.goal(id).looksLeft > 0 && slates > 0;
    if (mayBeFalse && (slates >= cheapSlates || step.kind !== 'slate')) {
      slates = 0;
      const instance = await race.refute(opened);
      if (instance === null) continue;
      close(id, undefined, 'refuted', instance);
      trade.refuted(id, facts.goalHash, instance);
      return;
    }
    switch (step.kind) {
      case 'slate':
        emit('slate-started', step.body, at);
        {
          const raced = await race.slate(opened, step.body);
          proof = raced.proof;
          if (raced.blocked) await plans.open(id, goal, raced.blocked);
        }
        if (race.isNewWork(step.body)) slates++;
        break;
      case 'ask-for-lemma': {
        mayAsk = false;
        const isLast = schedule.goal(id).round >= lastRound;
        await trade.hear(at);
        const request = await race.missing(goal, opened, isLast);
        if (request && (await trade.ask(id, request)) === 'lent') {
          emit('goal-parked', { goal: id, until: at, reason: 'ticket', ticket: null }, at);
          return;
        }
        break;
      }
      case 'wait':
        await host.nextChange();
        break;
      case 'park': {
        if (step.body.reason === 'next-round' && domain.nextArm) {
          const next = await domain.nextArm(opened.work, signal);
          if (signal.aborted) return;
          if (next.kind === 'none') {
            close(id, undefined, next.why);
            return;
          }
          await examine(host, goal, opened, { cpuSeconds: 0 });
          break;
        }
        emit('goal-parked', step.body, at);
        return;
      }
      case 'give-up':
        // goals that this run does not have may have been proved in the one that it continues
        if (schedule.isResumed && toSettle(host, id, ['proved', 'absent']).length > 0)
          emit('goal-parked', { goal: id, until: at, reason: 'given', ticket: null }, at);
        else close(id, undefined, step.reason);
        return;
    }
  }
  if (!proof) return;
  const polished = await race.polish(opened, proof);
  close(id, polished, 'proved');
  trade.deliver(id, polished);
}

/** Proofs that took other goals as given, all of which have one of these fates, and that were not judged again since. */
function toSettle<Goal, Work, Artifact, Trace, Evidence>(
  { schedule, settled: done }: Pick<Host<Goal, Work, Artifact, Trace, Evidence>, 'schedule' | 'settled'>,
  id: string,
  fates: readonly string[],
): { readonly given: Given; readonly key: string }[] {
  const { givens } = schedule.goal(id);
  const above = givens.length > 0 ? schedule.provedAbove(id) : [];
  return givens
    .filter(({ goals }) => goals.every((one) => fates.includes(schedule.fateOf(one, id))))
    .map((given) => ({ given, key: JSON.stringify([id, given.proof, above]) }))
    .filter(({ key }) => !done.has(key));
}

/** Closes a goal whose proof took others as given, if these are proved now. */
async function settle<Goal, Work, Artifact, Trace, Evidence>(
  host: Host<Goal, Work, Artifact, Trace, Evidence>,
  id: string,
  goal: Goal,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { given, key } of toSettle(host, id, ['proved', 'absent'])) {
    if (signal.aborted) return false;
    host.settled.add(key);
    const proof = await host.race.settle(goal, host.schedule.goal(id), given, signal);
    if (!proof) continue;
    // not lent to others, before which these may still be open
    host.close(id, proof, 'proved');
    return true;
  }
  return false;
}

function couldNotOpen<Goal, Work, Artifact, Trace, Evidence>(
  { schedule, emit, close, now }: Host<Goal, Work, Artifact, Trace, Evidence>,
  id: string,
  message: string,
): void {
  const { faults } = schedule.goal(id);
  if (faults + 1 >= maxOpenings) {
    close(id, undefined, `broken: ${message}`);
    return;
  }
  emit('note', { level: 'warning', text: `${id}: ${message}` });
  emit('goal-parked', { goal: id, until: now() + 1000 * 2 ** faults, reason: 'broken', ticket: null });
}
