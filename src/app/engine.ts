import { readFileSync } from 'node:fs';
import os from 'node:os';
import { strategiesOf, workersOf, type Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { goOnLearning } from '../core/policy/past.ts';
import { learnWeights } from '../core/difficulty.ts';
import { EventBus } from '../core/events.ts';
import { Engine } from '../core/scheduler/engine.ts';
import { Throttle } from '../core/throttle.ts';
import { Git } from '../io/git.ts';
import { readMachine } from '../io/machine.ts';
import { ScriptMemory } from '../lean/cache/script-memory.ts';
import { scriptVersion } from '../lean/cache/version.ts';
import { LeanDomain } from '../lean/domain.ts';
import type { LeanGoal } from '../lean/goals/goal.ts';
import { Market } from '../lean/market/market.ts';
import { RefutedLemmas } from '../lean/search/refuted-lemmas.ts';
import { groundOf } from '../lean/remote/grounds.ts';
import { leanJudges } from '../lean/remote/judges.ts';
import type { LeanPool } from '../lean/workers/pool.ts';
import { Models, type GoalModel } from '../models/configured.ts';

import type { Verdict } from '../lean/gate/verdict.ts';
import { leanRows } from '../lean/rows.ts';
import type { LeanStrategy } from '../lean/strategies/strategy.ts';
import type { Candidate, ScriptTrace } from '../lean/workbench/candidate.ts';

import type { PremiseSource } from '../lean/premises/source.ts';
import { cacheStrategy } from '../lean/strategies/cache/cache.ts';
import { chooseStrategies } from '../lean/strategies/strategies.ts';
import { describeToolchain } from '../lean/toolchain/toolchain.ts';
import type { Workbench } from '../lean/workbench/workbench.ts';
import { Dispatch, goalsSent } from '../remote/dispatch.ts';
import { RemoteDomain } from '../remote/domain.ts';
import { remoteStrategy } from '../remote/strategy.ts';
import type { ArmRecord, PolicyModel } from '../shared/events.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { longestHoldSeconds } from '../store/queue/queue.ts';
import { ScriptStore } from '../store/scripts/scripts.ts';
import type { Lean } from './lean.ts';
import { type RunChoice, journalFor, startOf, keepBeating, memoryOf, newRunId } from './run.ts';
import { scriptsFile, openQueue, remoteVersion } from './ledger.ts';

/** The part of an engine that commands use, local or remote. */
export type LeanEngine = Pick<
  Engine<LeanGoal, Workbench, Candidate, ScriptTrace, Verdict>,
  'add' | 'note' | 'withdraw' | 'drain' | 'stop' | 'run'
>;

/** A worker that needs this many times a goal's limit in reference seconds loses the goal to another worker. */
const slowest = 10;
const shortestHoldSeconds = 600;

/** Sends goals to workers. Runs of one scope share their jobs. */
export async function openDispatch(
  settings: Settings,
  { pool }: Lean,
  scope: string,
): Promise<Dispatch<LeanGoal>> {
  const queue = await openQueue(settings);
  const standing = { pool, version: remoteVersion() };
  return await Dispatch.open({
    queue,
    scope,
    holdSeconds: Math.min(longestHoldSeconds, Math.max(shortestHoldSeconds, slowest * settings.goal_cpu)),
    groundOf: async (goal) => await groundOf(standing, goal, (folder) => new Git(folder)),
  });
}

/** Number of earlier goals that difficulty weights learn from, and of attempts that a policy learns from. */
const lessonCount = 2000;

/** Initial policy weights, written by `orch lab train`. The file is next to `src/` in a clone and next to `dist/` in a tarball. */
function warmStart(): PolicyModel {
  const file = new URL('../../policy/warm-start.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as PolicyModel;
}

/**
 * An engine for Lean proofs with real Lean and ledger. It writes events to the ledger, then to the listeners of
 * its bus.
 */
export async function openEngine(
  settings: Settings,
  { pool, gate, premises }: Lean & { readonly premises?: PremiseSource },
  ledger: Ledger,
  choice: RunChoice,
  listen: (bus: EventBus) => void,
): Promise<LeanEngine> {
  const { dispatch } = choice;
  const refuted = new RefutedLemmas();
  const { ready, asked } = dispatch
    ? { ready: [], asked: [{ name: 'remote', slot: 'light', tier: 0, unavailable: null } as const] }
    : await chooseStrategies(strategiesOf(settings), {
        pool,
        settings,
        clock: systemClock,
        memory: ledger.experience,
        premises,
        refuted,
        model: goalModelOf(settings),
      });
  const bus = new EventBus(newRunId(), systemClock, journalFor(ledger, choice));
  await keepBeating(ledger, bus);
  const memory = memoryOf(ledger, bus.run, new Market(ledger.tickets, ledger.journal, systemClock));
  const lessons = await ledger.experience.lessons(lessonCount);
  const scripts = usesScripts(settings, choice.command) && !dispatch ? openScripts(settings, bus) : undefined;
  const cores = os.availableParallelism();
  const shares = dispatch
    ? { workers: goalsSent, max_light: goalsSent }
    : { workers: workersOf(settings), max_light: settings.max_light };
  const learned = {
    arms: withForeign(await ledger.experience.armRecords(), scripts?.arms() ?? []),
    weights: learnWeights(lessons),
    ...(settings.policy !== 'ucb1' && {
      policy: goOnLearning(warmStart(), await ledger.experience.armLessons(lessonCount)),
    }),
  };
  const toolchain = describeToolchain(pool.toolchain);
  const start = startOf({ settings, shares, choice, toolchain, strategies: asked, learned });
  listen(bus);
  const parts = {
    // workers keep track of what they tried
    memory: {
      ...memory,
      ...((choice.forgetsTried || dispatch) && { tried: async () => [] }),
      ...(choice.competes && { provedBefore: async () => [] }),
    },
    bus,
    clock: systemClock,
    throttle: new Throttle(settings.cpu_target, cores, settings.cpu_alpha),
    readMachine,
    start,
    pins: new Set(await ledger.tickets.pins()),
    ...(choice.staysOpen && { staysOpen: true }),
  };
  if (dispatch)
    return new Engine({
      ...parts,
      domain: new RemoteDomain({
        dispatch,
        judges: leanJudges(pool, gate),
        rows: leanRows,
        onAlternative: (judged) => bus.emit('candidate-judged', judged),
      }),
      strategies: [remoteStrategy<LeanGoal>()],
    });
  const cache = scripts && cacheStrategy(scriptMemory(scripts, pool, bus));
  const remembered = !cache ? [] : choice.competes ? [learningOnly(cache)] : [cache];
  const strategies = settings.scripts === 'only' ? remembered : [...remembered, ...ready];
  const domain = new LeanDomain(pool, gate, {
    trades: settings.market === 'on' && settings.scripts !== 'only',
    assumes: settings.open_lemmas === 'on' && settings.scripts !== 'only',
    refuted,
    refutedBefore: new Set(await ledger.experience.refutedBefore()),
    proved: choice.proved ?? [],
  });
  const engine = new Engine({ ...parts, domain, strategies });
  const missing = asked.filter(({ unavailable }) => unavailable !== null);
  if (missing.length > 0)
    engine.note(
      'warning',
      `running ${ready.map(({ name }) => name).join(', ') || 'nothing'}; ${missing.map(({ name, unavailable }) => `${name}: ${unavailable}`).join('; ')}`,
    );
  return engine;
}

/** Commands that work on a project for a user; measurements start without scripts. */
const everyday: ReadonlySet<string> = new Set(['bg', 'sweep', 'prove']);

export function usesScripts({ scripts }: Pick<Settings, 'scripts'>, command: string): boolean {
  return scripts === 'auto' ? everyday.has(command) : scripts !== 'off';
}

/** Looks at every goal, to learn from its proof, and offers nothing. */
function learningOnly(cache: LeanStrategy): LeanStrategy {
  return {
    ...cache,
    arms: (workbench) => {
      cache.arms(workbench);
      return [];
    },
  };
}

/** Arms without a record here start with that of another machine. */
function withForeign(own: readonly ArmRecord[], foreign: readonly ArmRecord[]): ArmRecord[] {
  const known = new Set(own.map(armKey));
  return [...own, ...foreign.filter((record) => !known.has(armKey(record)))];
}

const armKey = ({ arm, context }: ArmRecord): string => JSON.stringify([arm, context]);

/** Scripts of earlier goals, open until the run ends. */
function openScripts(settings: Settings, bus: EventBus): ScriptStore {
  const store = new ScriptStore(scriptsFile(settings), systemClock);
  bus.listen(({ type }) => type === 'run-finished' && store.close());
  return store;
}

/** The store learns from this run. */
function scriptMemory(store: ScriptStore, { toolchain }: LeanPool, bus: EventBus): ScriptMemory {
  const memory = new ScriptMemory(store, scriptVersion(toolchain, process.cwd()));
  bus.listen(memory.listen);
  return memory;
}

/** Strategies and the gate without an engine, for `replay` and `lab`, which run one arm at a time. */
export async function openArms(
  settings: Settings,
  { pool, gate, premises }: Lean & { readonly premises?: PremiseSource },
): Promise<{ freshDomain: () => LeanDomain; strategies: readonly LeanStrategy[] }> {
  const parts = { pool, settings, clock: systemClock, premises, model: goalModelOf(settings) };
  const { ready } = await chooseStrategies(strategiesOf(settings), parts);
  // a domain remembers earlier tries on a goal, so each measurement of an arm needs a new domain
  return { freshDomain: () => new LeanDomain(pool, gate), strategies: ready };
}

/** The language model that the settings name, for one run. */
export function goalModelOf(settings: Settings): GoalModel | undefined {
  if (settings.model === undefined) return undefined;
  return new Models(settings, process.env, systemClock).forGoals(settings.model);
}
