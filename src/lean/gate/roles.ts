import { failed, success, type Failed, type Fault, type Result } from '../../core/result.ts';
import type { LeanEnvironment } from '../project/environment.ts';
import { parseNames } from '../base/names.ts';
import type { Lease } from '../workers/lease.ts';
import { describePosition, placeIn } from '../base/positions.ts';
import {
  failure,
  type Cost,
  type Failure,
  type Message,
  type Sorry,
  type StatementData,
  type Written,
} from '../base/protocol.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import { missingFrom, type Account } from './account.ts';
import type { SecondKernelWish } from './second-opinion.ts';

/** A statement to prove, with its context. */
export interface Question {
  /** Imports from a project; without it, only Lean's library. */
  readonly environment?: LeanEnvironment | undefined;
  /** Text that comes before the statement: definitions, lemmas, `open`s. */
  readonly preamble?: string;
  /** `theorem name binders : type` */
  readonly statement: string;
  /** Axioms of the preamble that the proof may use. */
  readonly allowAxioms?: readonly string[];
  /** Open theorems before the statement that the proof may use: it is then proved given these, not accepted. */
  readonly assume?: readonly string[] | undefined;
  /** Also check with the second kernel. */
  readonly secondKernel?: SecondKernelWish | undefined;
}

export interface Claim extends Question {
  /** `by …` or a term. */
  readonly proof: string;
  /** Additional requirements (`constraints.ts`). */
  readonly constraints?: readonly string[] | undefined;
}

export type { StatementData };

/** Data from a worker, with its cost. */
export interface Made<Data> {
  readonly data: Data;
  readonly cpuSeconds: number;
}

/** Why there is no data. */
export interface FailedPart extends Fault<Failure['kind']> {
  readonly failure: Failure;
  readonly place: string | undefined;
  readonly cpuSeconds: number;
}

/** The stater: elaborates preamble and statement, in a worker that has run no candidate, and exports them as data. */
export async function stateClaim(
  lease: Lease,
  { preamble = '', statement, allowAxioms = [], assume = [] }: Question,
  limits: RequestLimits,
): Promise<Result<Made<StatementData>, FailedPart>> {
  const loaded = await lease.session(preamble, limits);
  if (!loaded.ok) return inPlace(loaded, 'the preamble');
  const { session } = loaded;
  const allowed = { allow_axioms: parseNames(allowAxioms), assume: parseNames(assume) };
  const body = { session, statement, data: true, ...allowed };
  const reply = await lease.request('statement', body, limits);
  return reply.ok
    ? success({
        data: { data: JSON.stringify(reply.data), bound: reply.bound },
        cpuSeconds: reply.cost.cpuSeconds,
      })
    : inPlace(reply, placeIn(reply.messages, statement));
}

/** The elaborated statement, as Lean prints it. */
export async function showClaim(
  lease: Lease,
  { preamble = '', statement }: Question,
  limits: RequestLimits,
): Promise<string> {
  const loaded = await lease.session(preamble, limits);
  if (!loaded.ok) return loaded.message;
  const { session } = loaded;
  const reply = await lease.request('statement', { session, statement, print: true }, limits);
  if (!reply.ok) return reply.message;
  return 'printed' in reply ? `theorem ${reply.name} : ${reply.printed}` : '';
}

/** The elaborator: runs the candidate with all its code, and exports its constants. */
export async function elaborateClaim(
  lease: Lease,
  { preamble = '', statement, proof, allowAxioms = [], assume = [] }: Claim,
  limits: RequestLimits,
): Promise<Result<Made<unknown>, FailedPart>> {
  const loaded = await lease.session(preamble, limits);
  if (!loaded.ok) return inPlace(loaded, 'the preamble');
  const { session } = loaded;
  const allowed = { allow_axioms: parseNames(allowAxioms), assume: parseNames(assume) };
  const body = { session, statement, proof, ...allowed, export: true };
  const reply = await lease.request('check', body, limits);
  return reply.ok
    ? success({ data: reply.export, cpuSeconds: reply.cost.cpuSeconds })
    : inPlace(refusedExport(reply), placeIn(reply.messages, statement));
}

/** A file as a candidate: all its declarations. */
export interface ElaboratedFile extends Made<unknown> {
  readonly theorems: readonly Written[];
  readonly account: Account;
  readonly messages: readonly Message[];
  readonly errors: readonly Message[];
  /** Present when asked for. */
  readonly sorries: readonly Sorry[];
  /** It can run code beyond notation, quotation macros, deriving and attributes, so its own list may be incomplete. */
  readonly ranCode: boolean;
}

export async function elaborateFile(
  lease: Lease,
  text: string,
  limits: RequestLimits,
  sorries = false,
): Promise<Result<ElaboratedFile, FailedPart>> {
  const body = { session: lease.fileSession, text, keep_going: true, account: true, examples: true, sorries };
  const loaded = await lease.request('load', body, limits);
  if (!loaded.ok) return inPlace(loaded, 'the file');
  const exported = await lease.request('export', { session: loaded.session, role: 'candidate' }, limits);
  const states = loaded.sorries.flatMap(({ state }) => state ?? []);
  if (states.length > 0) await lease.request('drop', { states });
  await lease.request('unload', { sessions: [loaded.session] });
  if (!exported.ok) return inPlace(refusedExport(exported), 'the file');
  return success({
    theorems: loaded.theorems,
    account: loaded,
    messages: loaded.messages,
    sorries: loaded.sorries,
    errors: loaded.messages.filter(({ severity }) => severity === 'error'),
    ranCode: lease.ranCode,
    data: exported.export,
    cpuSeconds: loaded.cost.cpuSeconds + exported.cost.cpuSeconds,
  });
}

/** Number of constants per answer. */
const pageSize = 5000;

/** The declarations of a project's modules, as loaded in a leased worker. */
export async function constantsBelow(
  lease: Lease,
  limits: RequestLimits,
): Promise<{ readonly name: string; readonly module: string }[]> {
  const all: { readonly name: string; readonly module: string }[] = [];
  for (;;) {
    const page = { session: lease.rootSession, own: true, offset: all.length, limit: pageSize };
    const reply = await lease.request('constants', page, limits);
    if (!reply.ok || reply.constants.length === 0) return all;
    all.push(...reply.constants);
  }
}

/** A file as a reference: its statements without proofs. */
export interface StatedFile extends Made<string> {
  readonly theorems: readonly Written[];
  readonly ranCode: boolean;
  readonly account: Account;
}

/** Axioms, and open theorems of the file and its imports, that proofs may use. */
type Allowed = Pick<Question, 'allowAxioms' | 'assume'>;

/** `cut`: runs neither its proofs nor any of its code. */
export async function stateFile(
  lease: Lease,
  text: string,
  { allowAxioms = [], assume = [] }: Allowed,
  limits: RequestLimits,
  cut = false,
): Promise<Result<StatedFile, FailedPart>> {
  const loaded = await lease.request(
    'load',
    { session: lease.fileSession, text, cut, account: true, examples: cut },
    limits,
  );
  if (!loaded.ok) return inPlace(loaded, 'the reference');
  // an example has no name to ask for
  const [missing] = cut ? [] : missingFrom(text, loaded, () => true, 'example');
  if (missing) {
    const what = `\`${missing.word} ${missing.name}\``;
    const why = failure('unread', `${describePosition(missing.at)}: ${what}: ${missing.why}`);
    return inPlace({ ...why, cost: loaded.cost }, 'the reference');
  }
  const body = {
    session: loaded.session,
    role: 'reference',
    allow_axioms: parseNames(allowAxioms),
    assume: parseNames(assume),
  } as const;
  const exported = await lease.request('export', body, limits);
  await lease.request('unload', { sessions: [loaded.session] });
  if (!exported.ok) return inPlace(exported, 'the reference');
  return success({
    theorems: loaded.theorems,
    ranCode: lease.ranCode,
    account: loaded,
    data: JSON.stringify(exported.export),
    cpuSeconds: loaded.cost.cpuSeconds + exported.cost.cpuSeconds,
  });
}

/** The exporter ends at a declaration that no kernel accepts, such as one that a program added unchecked: a fault of the text. */
function refusedExport(reply: Failure & { cost: Cost }): Failure & { cost: Cost } {
  const isOfText = /^(?:a (?:free variable|(?:universe )?metavariable) is left|unknown constant )/.test(
    reply.message,
  );
  return reply.kind === 'crash' && isOfText ? { ...reply, kind: 'malformed-export' } : reply;
}

function inPlace(reply: Failure & { cost: Cost }, place: string | undefined): Failed<FailedPart> {
  return failed(partFailure(reply, place, reply.cost.cpuSeconds));
}

export function partFailure(why: Failure, place: string | undefined, cpuSeconds: number): FailedPart {
  return { kind: why.kind, message: why.message, failure: why, place, cpuSeconds };
}
