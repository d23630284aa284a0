import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ArcDomain, type ArcWork } from './arc/domain.ts';
import type { Program } from './arc/rules/program.ts';
import type { ThreadPool } from './arc/solve/pool.ts';
import type { Task } from './arc/task.ts';
import { teachStrategy, type TeachLimits } from './arc/teach.ts';
import { loadSettings, type SettingFlags } from './config/load.ts';
import { packageVersion } from './config/package.ts';
import { strategiesOf, workersOf, type Settings } from './config/schema.ts';
import { systemClock } from './core/clock.ts';
import { goOnLearning } from './core/policy/past.ts';
import { firstWeights, learnWeights } from './core/difficulty.ts';
import { UserError } from './core/errors.ts';
import { EventBus } from './core/events.ts';
import type { Memory } from './core/scheduler/domain.ts';
import { Engine } from './core/scheduler/engine.ts';
import type { Strategy } from './core/strategy.ts';
import { Throttle } from './core/throttle.ts';
import { Git } from './io/git.ts';
import { heartbeatMs, thisProcess } from './io/owner.ts';
import { readMachine } from './io/machine.ts';
import { ScriptMemory } from './lean/cache/script-memory.ts';
import { scriptVersion } from './lean/cache/version.ts';
import { describeGoal, LeanDomain } from './lean/domain.ts';
import { Environments } from './lean/environments.ts';
import { Gate } from './lean/gate/gate.ts';
import type { LeanGoal } from './lean/goals/goal.ts';
import { Market } from './lean/market/market.ts';
import type { Builder, BuildProgress } from './lean/project/build.ts';
import { embeddedBuilder } from './lean/project/embedded-builder.ts';
import { groundOf } from './lean/remote/grounds.ts';
import { leanJudges } from './lean/remote/judges.ts';
import { refuseOtherVersions } from './lean/project/version.ts';
import { LeanPool } from './lean/pool.ts';
import { Models, type GoalModel } from './models/configured.ts';
import type { Model } from './models/model.ts';
import type { Candidate } from './lean/candidate.ts';
import { denseSeat } from './lean/premises/dense.ts';
import type { RetrieverSeat } from './lean/premises/retrieve.ts';
import { PremiseSource } from './lean/premises/source.ts';
import { cacheStrategy } from './lean/strategies/cache/cache.ts';
import { chooseStrategies } from './lean/strategies/strategies.ts';
import type { ImageName } from './lean/toolchain/embedded/embedded.ts';
import { leanVersion } from './lean/toolchain/embedded/lean-package.ts';
import { chooseLean, resolveToolchain } from './lean/toolchain/resolve.ts';
import { describeToolchain, type Toolchain } from './lean/toolchain/toolchain.ts';
import type { Workbench } from './lean/workbench.ts';
import { asClaim } from './remote/claim.ts';
import { Dispatch, goalsSent } from './remote/dispatch.ts';
import { RemoteDomain, remoteStrategy } from './remote/domain.ts';
import { setupProgress } from './reporters/progress.ts';
import type { PolicyModel, RunStarted } from './shared/events.ts';
import type { Ledger, LedgerOptions } from './store/ledger/ledger.ts';
import type { GoalQueue } from './store/queue/queue.ts';
import { patient } from './store/ledger/patient.ts';
import { openLedger, refuseImpossible } from './store/ledger/open.ts';
import { isPostgresUrl, placeOf, withoutPassword } from './store/ledger/place.ts';
import { ScriptStore } from './store/scripts/scripts.ts';

/** The composition root: the one place where settings, clock and processes of the real world meet the domains. */

export function settingsFrom(flags: SettingFlags = {}): Settings {
  return loadSettings({ folder: process.cwd(), environment: process.env, flags });
}

/** The folder of the embedded Lean inside the cache. */
export function leanCacheFolder(settings: Settings): string {
  return path.join(settings.cache_dir, 'lean');
}

/** Where the indexes of premises are kept. */
export function premisesFolder(settings: Settings): string {
  return path.join(settings.cache_dir, 'premises');
}

/** The Lean that the settings want, set up. */
export async function openToolchain(settings: Settings, image: ImageName): Promise<Toolchain> {
  const progress = setupProgress(process.stderr);
  return await resolveToolchain({
    lean: settings.lean,
    folder: process.cwd(),
    cacheFolder: leanCacheFolder(settings),
    environment: process.env,
    image,
    onProgress: progress.update,
  }).finally(progress.done);
}

export interface LeanChoice {
  readonly image: ImageName;
  /** The files that it is for: their projects may ask for another Lean. */
  readonly files?: readonly string[];
  readonly slots?: number;
  readonly spare?: boolean;
  /** A worker above this resident size is replaced before it serves again. */
  readonly recycleBytes?: number | undefined;
}

/** Workers that look for proofs, and a gate with a judge of its own. */
export interface Lean {
  readonly pool: LeanPool;
  readonly gate: Gate;
  /** These preambles will be asked for; those that begin alike share the loading. */
  expect(preambles: Iterable<string>): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Lean as the settings want it; sets the embedded one up first where that is needed. */
export async function openLean(
  settings: Settings,
  { image, files = [], slots, spare = false, recycleBytes }: LeanChoice,
): Promise<Lean> {
  refuseOtherLean(settings, files);
  const toolchain = await openToolchain(settings, image);
  const count = slots ?? workersOf(settings);
  const builder = builderFor(settings, toolchain, { image, slots: count });
  const environments = new Environments(toolchain, builder, settings.lake_build === 'on');
  const pool = new LeanPool(toolchain, systemClock, {
    slots: count,
    spare,
    environments,
    ...(recycleBytes !== undefined && { recycleBytes }),
  });
  const judges = new LeanPool(toolchain, systemClock, { slots: 1, spare: false });
  return {
    pool,
    gate: new Gate(pool, judges),
    expect(preambles) {
      const all = [...preambles];
      pool.preambles.expect(all);
      judges.preambles.expect(all);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.close(), judges.close()]);
    },
  };
}

/** Before anything costs time: the projects of files can be worked on with the Lean that would be used. */
export function refuseOtherLean(settings: Settings, files: readonly string[]): void {
  if (settings.lean === 'embedded') return;
  const { lean } = settings;
  const choice = chooseLean({ lean, folder: process.cwd(), environment: process.env });
  if (choice === 'embedded') refuseOtherVersions(files, leanVersion);
}

/** Who compiles the modules of projects; a native Lean leaves that to Lake. */
export function builderFor(
  settings: Settings,
  toolchain: Toolchain,
  { image, slots }: Required<Pick<LeanChoice, 'image' | 'slots'>>,
): Builder | undefined {
  if (toolchain.kind !== 'embedded') return undefined;
  const progress = setupProgress(process.stderr, 'Building');
  return embeddedBuilder(
    { cacheFolder: leanCacheFolder(settings), image },
    {
      toolchain: describeToolchain(toolchain),
      anyVersion: settings.lean === 'embedded',
      maxBytes: settings.cache_max * 1e9,
      slots,
      clock: systemClock,
      onProgress: (built) =>
        built.done < built.total ? progress.update(buildProgress(built)) : progress.done(),
    },
  );
}

function buildProgress({ module, done, total, secondsLeft }: BuildProgress) {
  const left = secondsLeft === undefined ? '' : `, about ${Math.ceil(secondsLeft)} s left`;
  return { step: 'build', text: `${module} (${done + 1} of ${total}${left})`, fraction: done / total };
}

export interface RunChoice {
  readonly command: string;
  /** What the user calls it. */
  readonly label?: string | undefined;
  readonly sources: readonly string[];
  readonly seed: number;
  /** Wall-clock seconds; null: until stopped. */
  readonly timeout: number | null;
  readonly staysOpen?: boolean;
  readonly resumes?: string | undefined;
  /** What `resume` must tell the command again, besides settings. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** What earlier runs tried in vain may be tried again. */
  readonly forgetsTried?: boolean;
  /** Who sends the goals to workers on other machines; without one they are worked on here. */
  readonly dispatch?: Dispatch<LeanGoal> | undefined;
  /** What is proved here are claims, which another process judges. */
  readonly isClaiming?: boolean;
}

/** What commands do with an engine, wherever its goals are worked on. */
export type LeanEngine = Pick<
  Engine<LeanGoal, Workbench, Candidate>,
  'add' | 'note' | 'withdraw' | 'drain' | 'stop' | 'run'
>;

/** The ledger as the settings want it. */
export async function ledgerOf(
  settings: Settings,
  options: Omit<LedgerOptions, 'clock'> = {},
): Promise<Ledger> {
  return await openLedger(placeOf(settings.ledger), { clock: systemClock, ...options });
}

/** The cache of scripts stands beside the ledger, and is as old as it. */
export function scriptsFile({ ledger }: Pick<Settings, 'ledger'>): string {
  return path.resolve(
    isPostgresUrl(ledger) ? '.orch/scripts.db' : `${ledger.replace(/\.db$/, '')}.scripts.db`,
  );
}

/** Before anything costs time: the ledger may be where the settings say. */
export async function refuseImpossibleLedger({ ledger }: Settings): Promise<void> {
  await refuseImpossible(placeOf(ledger));
}

/** The ledger to look into, where one has been made. */
export async function ledgerIfThere(settings: Settings): Promise<Ledger | undefined> {
  try {
    return await ledgerOf(settings, { readOnly: true });
  } catch (error) {
    if (error instanceof UserError && error.code === 'no-ledger') return undefined;
    throw error;
  }
}

/** The queue of the ledger's database. */
export async function openQueue({ ledger }: Settings): Promise<GoalQueue> {
  if (!isPostgresUrl(ledger))
    throw new UserError(
      'no-queue',
      `workers on other machines need a ledger in PostgreSQL, and ${ledger} is a file`,
      'Name one with --ledger postgres://… or ORCH_LEDGER; orch ledger copy takes a file there.',
    );
  const { GoalQueue } = await import('./store/queue/queue.ts');
  let said = '';
  return await GoalQueue.open(placeOf(ledger), ({ message }) => {
    if (message !== said) process.stderr.write(`orch: the queue: ${message}\n`);
    said = message;
  });
}

/** Sends goals to workers; jobs of one scope are asked once, by whichever run. */
export async function openDispatch(
  settings: Settings,
  { pool }: Lean,
  scope: string,
): Promise<Dispatch<LeanGoal>> {
  const queue = await openQueue(settings);
  const standing = { pool, version: packageVersion() };
  return await Dispatch.open({
    queue,
    scope,
    groundOf: async (goal) => await groundOf(standing, goal, (folder) => new Git(folder)),
  });
}

/** How many earlier goals the difficulty is learned from, and how many attempts a policy. */
const lessonCount = 2000;

/** What the policies start from: `orch lab train` wrote it from records. It stands beside `src/` in a clone and beside `dist/` in a tarball. */
function warmStart(): PolicyModel {
  const file = new URL('../policy/warm-start.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as PolicyModel;
}

/** Premises of the library and of what the ledger has seen; whoever opens it closes it. */
export function premiseSource(settings: Settings, { pool }: Lean, ledger?: Ledger): PremiseSource {
  return new PremiseSource({
    folder: premisesFolder(settings),
    toolchain: pool.toolchain,
    experience: ledger?.experience,
    shelf: ledger?.shelf,
    seats: seatsOf(settings),
  });
}

/** An engine over Lean proofs, with everything real behind it: it writes to the ledger and tells the listeners of its bus. */
export async function openEngine(
  settings: Settings,
  { pool, gate, premises }: Lean & { readonly premises?: PremiseSource },
  ledger: Ledger,
  choice: RunChoice,
  listen: (bus: EventBus) => void,
): Promise<LeanEngine> {
  const { dispatch } = choice;
  const { ready, asked } = dispatch
    ? { ready: [], asked: [{ name: 'remote', slot: 'light', tier: 0, unavailable: null } as const] }
    : await chooseStrategies(strategiesOf(settings), {
        pool,
        settings,
        clock: systemClock,
        memory: ledger.experience,
        premises,
        model: modelOf(settings),
      });
  const bus = new EventBus(newRunId(), systemClock, journalFor(ledger, choice));
  await keepBeating(ledger, bus);
  const memory = await memoryOf(ledger, new Market(ledger.tickets, ledger.journal, systemClock));
  const lessons = await ledger.experience.lessons(lessonCount);
  const cores = os.availableParallelism();
  const shares = dispatch
    ? { workers: goalsSent, max_light: goalsSent }
    : { workers: workersOf(settings), max_light: settings.max_light };
  const start = startOf({ ...settings, ...shares }, choice, describeToolchain(pool.toolchain), asked, {
    arms: await ledger.experience.armRecords(),
    weights: learnWeights(lessons),
    ...(settings.policy !== 'ucb1' && {
      policy: goOnLearning(warmStart(), await ledger.experience.armLessons(lessonCount)),
    }),
  });
  listen(bus);
  const parts = {
    // what workers have tried is for them to know
    memory: choice.forgetsTried || dispatch ? { ...memory, tried: async () => [] } : memory,
    bus,
    clock: systemClock,
    throttle: new Throttle(settings.cpu_target, cores),
    readMachine,
    start,
    ...(choice.staysOpen && { staysOpen: true }),
  };
  if (dispatch)
    return new Engine({
      ...parts,
      domain: new RemoteDomain({
        dispatch,
        judges: leanJudges(pool, gate),
        describe: describeGoal,
        onAlternative: (judged) => bus.emit('candidate-judged', judged),
      }),
      strategies: [remoteStrategy<LeanGoal>()],
    });
  const remembered = settings.scripts === 'on' ? [cacheStrategy(openScripts(settings, pool, bus))] : [];
  const strategies = [...remembered, ...ready];
  const domain = new LeanDomain(pool, gate, { trades: settings.market === 'on' });
  const engine = new Engine({ ...parts, domain, strategies });
  const missing = asked.filter(({ unavailable }) => unavailable !== null);
  if (missing.length > 0)
    engine.note(
      'warning',
      `running ${ready.map(({ name }) => name).join(', ') || 'nothing'}; ${missing.map(({ name, unavailable }) => `${name}: ${unavailable}`).join('; ')}`,
    );
  return engine;
}

/** Scripts of earlier goals, which learn from this run until it ends. */
function openScripts(settings: Settings, { toolchain }: LeanPool, bus: EventBus): ScriptMemory {
  const store = new ScriptStore(scriptsFile(settings), systemClock);
  const memory = new ScriptMemory(store, scriptVersion(toolchain, process.cwd()));
  bus.listen(memory.listen);
  bus.listen(({ type }) => type === 'run-finished' && store.close());
  return memory;
}

/** Strategies and the gate without an engine: for one arm at a time, as `replay` and `lab` want it. */
export async function openArms(
  settings: Settings,
  { pool, gate, premises }: Lean & { readonly premises?: PremiseSource },
): Promise<{ freshDomain: () => LeanDomain; strategies: readonly Strategy<Workbench, Candidate>[] }> {
  const parts = { pool, settings, clock: systemClock, premises, model: modelOf(settings) };
  const { ready } = await chooseStrategies(strategiesOf(settings), parts);
  // a domain remembers what was tried on a goal: whoever wants an arm's own work takes a new one
  return { freshDomain: () => new LeanDomain(pool, gate), strategies: ready };
}

/** The language model that the settings name, for one run. */
function modelOf(settings: Settings): GoalModel | undefined {
  if (settings.model === undefined) return undefined;
  return new Models(settings, process.env, systemClock).forGoals(settings.model);
}

/** Ways of finding premises that the settings ask for besides the built-in ones. */
function seatsOf(settings: Settings): RetrieverSeat[] {
  if (settings.encoder === undefined) return [];
  return [denseSeat(new Models(settings, process.env, systemClock).named(settings.encoder))];
}

/** Whoever is to make the vectors of a whole library. */
export function libraryEncoder(settings: Settings, name: string): Model {
  return new Models(settings, process.env, systemClock).unrecorded(name);
}

/** A run that nobody looks after waits for room on the disk; any other says at once that there is none. */
function journalFor(
  { journal }: Ledger,
  { staysOpen, isClaiming }: RunChoice,
): Pick<Ledger['journal'], 'append'> {
  if (isClaiming) return { append: async (events) => await journal.append(events.map(asClaim)) };
  if (!staysOpen) return journal;
  return patient(journal, {
    sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
    told: (text) => void process.stderr.write(`orch: ${text}\n`),
  });
}

export interface ArcChoice extends RunChoice {
  readonly workers: number;
  readonly limits: TeachLimits;
}

export type ArcEngine = Engine<Task, ArcWork, Program>;

/**
 * An engine over ARC tasks. It recalls nothing from earlier runs: a task's row depends on the task and the limits alone, so
 * that equal runs give equal bytes. As many threads as were asked for may be busy, whatever the share of Lean is.
 */
export async function openArcEngine(
  settings: Settings,
  threads: ThreadPool,
  ledger: Ledger,
  { workers, limits, ...choice }: ArcChoice,
  listen: (bus: EventBus) => void,
): Promise<ArcEngine> {
  const bus = new EventBus(newRunId(), systemClock, ledger.journal);
  await keepBeating(ledger, bus);
  const memory = await memoryOf(ledger, undefined);
  const strategy = teachStrategy(limits);
  const { name, slot, tier } = strategy;
  const asked = [{ name, slot, tier, unavailable: null }];
  const cores = os.availableParallelism();
  const cpu_target = Math.max(settings.cpu_target, Math.min(1, workers / cores));
  const shares = { cpu_target, workers, max_light: Math.max(workers, settings.max_light) };
  const start = startOf({ ...settings, ...shares }, choice, 'arc rules', asked, {
    arms: [],
    weights: firstWeights,
  });
  listen(bus);
  return new Engine({
    domain: new ArcDomain(threads),
    strategies: [strategy],
    memory: {
      ...memory,
      tried: async () => [],
      provedBefore: async () => [],
      failures: async () => 0,
    },
    bus,
    clock: systemClock,
    throttle: new Throttle(cpu_target, cores),
    readMachine,
    start,
  });
}

/** What a run says of itself when it begins. */
function startOf(
  settings: Settings & { readonly workers: number },
  choice: RunChoice,
  toolchain: string,
  strategies: RunStarted['strategies'],
  learned: RunStarted['learned'],
): RunStarted {
  return {
    command: choice.command,
    ...(choice.label !== undefined && { label: choice.label }),
    resumes: choice.resumes ?? null,
    seed: choice.seed,
    toolchain,
    version: packageVersion(),
    sources: choice.sources,
    strategies,
    learned,
    settings: { ...settings, ledger: withoutPassword(settings.ledger) },
    ...(choice.options && { options: choice.options }),
    config: {
      profile: settings.profile,
      timeout: choice.timeout,
      goal_cpu: settings.goal_cpu,
      cpu_target: settings.cpu_target,
      cores: os.availableParallelism(),
      workers: settings.workers,
      max_light: settings.max_light,
      max_heavy: settings.max_heavy,
      escalate_threshold: settings.escalate_threshold,
      policy: settings.policy,
    },
  };
}

/** Says that the run lives, until it has ended: whoever wants to resume it asks. */
async function keepBeating({ journal }: Ledger, bus: EventBus): Promise<void> {
  const owner = thisProcess();
  const stop = (): void => clearInterval(timer);
  const timer = setInterval(() => void journal.beat(bus.run, owner).catch(stop), heartbeatMs).unref();
  bus.listen(({ type }) => type === 'run-finished' && stop());
  await journal.beat(bus.run, owner);
}

/** What the ledger remembers, in the words of the engine. */
async function memoryOf({ experience, tickets, views }: Ledger, market: Market | undefined): Promise<Memory> {
  let heard = 0;
  const before = await tickets.all();
  const seen = new Set(
    before.flatMap(({ ticket_id, status }) => (status === 'completed' ? [ticket_id] : [])),
  );
  return {
    tried: async (goalHash, fingerprint) => await experience.tried(goalHash, fingerprint),
    provedBefore: async (goalHash) => {
      const proofs = await experience.provedBefore(goalHash);
      return [...new Set(proofs.map(({ proof }) => proof))];
    },
    failures: async (goalHash) => (await experience.goalHistory(goalHash)).failures,
    similarTicket: async ({ statement, preamble, environment }) =>
      await market?.same({ goal: statement, context: [preamble], environment }),
    newlyCompleted: async () => {
      const all = await tickets.all();
      return all.filter(({ ticket_id, status }) => {
        if (status !== 'completed' || seen.has(ticket_id)) return false;
        seen.add(ticket_id);
        return true;
      });
    },
    newRequests: async (run) => {
      const requests = await views.controlRequests(run, heard);
      heard = requests.at(-1)?.seq ?? heard;
      return requests;
    },
  };
}

/** Sorts by time, and is short enough to be typed. */
export function newRunId(): string {
  const time = systemClock.date().toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return `${time.slice(0, 8)}-${time.slice(8)}-${randomBytes(2).toString('hex')}`;
}
