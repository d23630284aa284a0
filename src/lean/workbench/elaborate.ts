import { failed, success, type Result } from '../../core/result.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { parseNames } from '../base/names.ts';
import type { Lease } from '../workers/lease.ts';
import {
  failure,
  type Constant,
  type Description,
  type Failure,
  type ProofState,
  type StatementData,
} from '../base/protocol.ts';
import { goalHash } from '../toolchain/fingerprint.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import { fill, type Hole } from './holes.ts';
import { Node } from './node.ts';
import type { Tried } from './tried.ts';

/** Wall-clock time, sized for a busy machine. */
export const defaultDeadlineMs = 600_000;

export interface WorkbenchOptions {
  readonly toolchain: Toolchain;
  /** Identifies the modules of a project that the goal depends on. */
  readonly closure?: string;
  /** Awaited before each request: the CPU throttle. */
  readonly permit?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /** Wall-clock limit for loading and elaborating: a safety limit for work that heartbeats do not count. */
  readonly deadlineMs?: number;
  /** Whether an open theorem, given by the hash of its statement, must not be assumed; default: none may be. */
  readonly isBarred?: (goalHash: string) => boolean;
  /** Results of an earlier workbench of the same goal. */
  readonly memory?: WorkMemory;
}

/** The tactics tried on a goal, for the next workbench that opens it. States are recreated on demand. */
export interface WorkMemory {
  readonly tried: Tried<Node>;
  readonly roots: readonly Node[];
}

/** Tactics from optional libraries. Opening a workbench checks which of them exist. */
const optionalTactics: readonly string[] = [
  'aesop',
  'ring',
  'ring_nf',
  'linarith',
  'nlinarith',
  'norm_num',
  'positivity',
  'field_simp',
  'tauto',
  'gcongr',
  'push_neg',
  'bv_decide',
  'search_proof',
];

export interface OpenAbove {
  readonly statement: StatementData;
  readonly theorems: ReadonlyMap<string, string>;
}

export interface Elaborated {
  readonly session: number;
  /** The statement as data for the judge, exported before anything else runs for this goal. */
  readonly statement: StatementData;
  /** The same with the open theorems that a proof may assume, by name with the hash of their statements. */
  readonly given: OpenAbove | undefined;
  readonly canonical: string;
  readonly symbols: readonly string[];
  readonly own: readonly Constant[];
  readonly tactics: readonly string[];
  readonly holes: readonly Hole[];
  readonly roots: readonly Node[];
  /** The first goal of each root, as data; empty unless requested. */
  readonly descriptions: readonly Description[];
  readonly sessions: readonly number[];
}

export async function elaborate(
  lease: Lease,
  goal: LeanGoal,
  { signal, deadlineMs = defaultDeadlineMs, isBarred = () => true }: WorkbenchOptions,
  wantsSurroundings: boolean,
): Promise<Result<Elaborated, Failure>> {
  const limits = { deadlineMs, ...(signal && { signal }) };
  const loaded = await lease.session(goal.preamble, limits);
  if (!loaded.ok) return failed(loaded);
  const { session } = loaded;
  const { statement, allowAxioms } = goal;
  const question = { session, statement, data: true, allow_axioms: parseNames(allowAxioms) };
  const stated = await lease.request('statement', question, limits);
  if (!stated.ok) return failed(stated);
  const around = wantsSurroundings
    ? await surroundings(lease, session, limits)
    : success({ own: [], tactics: [] });
  if (!around.ok) return around;
  const theorems = openTheorems(around.value.own, isBarred);
  const given =
    theorems.size === 0
      ? undefined
      : await lease.request('statement', { ...question, assume: parseNames([...theorems.keys()]) }, limits);
  const begun = await begin(lease, goal, session, limits);
  if (!begun.ok) return begun;
  const descriptions = wantsSurroundings ? await describe(lease, begun.value.roots, limits) : success([]);
  if (!descriptions.ok) return descriptions;
  const { canonical, symbols, data, bound } = stated;
  return success({
    session,
    statement: { data: JSON.stringify(data), bound },
    given: given?.ok ? { statement: { data: JSON.stringify(given.data), bound }, theorems } : undefined,
    canonical,
    symbols,
    ...around.value,
    ...begun.value,
    descriptions: descriptions.value,
  });
}

/** Theorems before the goal that were stated without a proof, with the hash of their statements. */
function openTheorems(
  own: readonly Constant[],
  isBarred: (goalHash: string) => boolean,
): ReadonlyMap<string, string> {
  return new Map(
    own.flatMap(({ name, canonical, rests_on }) => {
      if (canonical === undefined || rests_on === undefined) return [];
      const hash = goalHash(canonical);
      return isBarred(hash) ? [] : [[name, hash] as const];
    }),
  );
}

async function describe(
  lease: Lease,
  roots: readonly Node[],
  limits: Limits,
): Promise<Result<Description[], Failure>> {
  const found: Description[] = [];
  for (const { server = -1 } of roots) {
    const reply = await lease.request('describe', { state: server }, limits);
    if (!reply.ok) return failed(reply);
    found.push(...reply.goals.slice(0, 1));
  }
  return success(found);
}

type Limits = { readonly deadlineMs: number; readonly signal?: AbortSignal };

/** Context of the statement: the constants of its preamble, and the available optional tactics. */
type Surroundings = Pick<Elaborated, 'own' | 'tactics'>;

async function surroundings(
  lease: Lease,
  session: number,
  limits: Limits,
): Promise<Result<Surroundings, Failure>> {
  const constants = await lease.request('constants', { session, own: true, limit: 2000 }, limits);
  if (!constants.ok) return failed(constants);
  const known = await lease.request('tactics', { session, names: optionalTactics }, limits);
  return known.ok ? success({ own: constants.constants, tactics: known.tactics }) : failed(known);
}

interface Begun {
  readonly roots: Node[];
  readonly holes: Hole[];
  /** Sessions besides the preamble's that the states depend on; unloaded with them. */
  readonly sessions: number[];
}

async function begin(
  lease: Lease,
  goal: LeanGoal,
  session: number,
  limits: Limits,
): Promise<Result<Begun, Failure>> {
  return goal.holes.kind === 'statement'
    ? await beginStatement(lease, goal.statement, session, limits)
    : await beginHoles(lease, `${goal.statement} := ${goal.holes.template}`, session, limits);
}

/**
 * In a real proof, auto-bound and section variables are in the context, but `start` introduces only named binders. So
 * the context is read from a `sorry` and introduced before the search; the script leaves it out.
 */
async function beginStatement(
  lease: Lease,
  statement: string,
  session: number,
  limits: Limits,
): Promise<Result<Begun, Failure>> {
  const start = await lease.request('start', { session, statement }, limits);
  if (!start.ok) return failed(start);
  const from = (state: ProofState): Result<Begun, Failure> =>
    success({
      roots: [new Node(0, undefined, '', state, { server: state.state, pid: lease.pid })],
      holes: [],
      sessions: [],
    });

  if (start.goals[0]?.target_head !== '∀') return from(start);
  const loaded = await lease.request(
    'load',
    { session, text: `${statement} := by sorry`, sorries: true, claim: true },
    limits,
  );
  if (!loaded.ok) return failed(loaded);
  const given = loaded.sorries[0]?.goals[0]?.hypotheses ?? [];
  await lease.request('drop', { states: loaded.sorries.flatMap(({ state }) => state ?? []) }, limits);
  await lease.request('unload', { sessions: [loaded.session] }, limits);
  const missing = given.slice(start.goals[0].hypotheses.length);
  if (missing.length === 0) return from(start);
  const names = missing.map(({ name }) => (name.endsWith('✝') ? '_' : name));
  const tactic = `intro ${names.join(' ')}`;
  const introduced = await lease.request('step', { state: start.state, tactic }, limits);
  if (!introduced.ok) return from(start);
  await lease.request('drop', { states: [start.state] }, limits);
  return from(introduced);
}

async function beginHoles(
  lease: Lease,
  text: string,
  session: number,
  limits: Limits,
): Promise<Result<Begun, Failure>> {
  const loaded = await lease.request('load', { session, text, sorries: true }, limits);
  if (!loaded.ok) return failed(loaded);
  const roots: Node[] = [];
  const holes: Hole[] = [];
  for (const { start, end, state, goals, message } of loaded.sorries) {
    if (state === undefined) return failed(failure('statement', message ?? 'the sorry has no goal'));
    const begun = { goals, closed: false, messages: [] };
    roots.push(new Node(roots.length, undefined, '', begun, { server: state, pid: lease.pid }));
    // only a term may be replaced by `(by …)`
    const asTerm = fill(text, [{ start, end, isTerm: true }], ['sorry']);
    const reply = await lease.request('load', { session, text: asTerm }, limits);
    if (reply.ok) await lease.request('unload', { sessions: [reply.session] });
    holes.push({ start, end, isTerm: reply.ok });
  }
  return roots.length > 0
    ? success({ roots, holes, sessions: [loaded.session] })
    : failed(failure('statement', 'the proof contains no sorry'));
}
