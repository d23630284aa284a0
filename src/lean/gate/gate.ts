import type { Assurance, Verdict } from '../../core/verdict.ts';
import type { Lease, LeanPool } from '../pool.ts';
import { describePosition, placeIn } from '../positions.ts';
import { failure, type Failure, type Message, type Written } from '../protocol.ts';
import type { RequestLimits } from '../worker.ts';
import { accept, identify, refuse, type Identity } from './verdicts.ts';

export interface Claim {
  /** Text that comes before the statement: definitions, lemmas, `open`s. */
  readonly preamble?: string;
  /** `theorem name binders : type` */
  readonly statement: string;
  /** `by …` or a term. */
  readonly proof: string;
  /** Axioms of the preamble that the proof may rest on. */
  readonly allowAxioms?: readonly string[];
}

export interface FileClaim {
  readonly text: string;
  /** A file that says what should be proved: its statements and definitions bind. */
  readonly against?: string;
  readonly allowAxioms?: readonly string[];
}

/**
 * What the judge does with an export. `form`: sizes, depths and loose bound variables while it is read. `binding`: the
 * statement is the one that the judge elaborated. `kernel`: candidate and preamble are type-checked. `axioms`: what they
 * rest on. A gate with fewer stages gives lower assurances; it exists so that the soundness suite can show what each stage
 * is good for.
 */
export const stages = ['form', 'binding', 'kernel', 'axioms'] as const;
export type Stage = (typeof stages)[number];

/**
 * The only authority. A candidate is elaborated in an untrusted worker, which exports the new constants as data; a judge,
 * another process that never sees the proof's text, reads the data, compares the statement with the one that it
 * elaborated itself, lets the kernel add each constant, and walks the axioms.
 */
export class Gate {
  readonly #elaborators: LeanPool;
  readonly #judges: LeanPool;
  readonly #stages: readonly Stage[];

  constructor(elaborators: LeanPool, judges: LeanPool, use: readonly Stage[] = stages) {
    this.#elaborators = elaborators;
    this.#judges = judges;
    this.#stages = use;
  }

  async check(claim: Claim, limits: RequestLimits = {}): Promise<Verdict> {
    return await this.#unlessCancelled(
      claim.preamble ?? '',
      limits,
      async () => await this.#check(claim, limits),
    );
  }

  async #check(claim: Claim, limits: RequestLimits): Promise<Verdict> {
    const { preamble = '' } = claim;
    const candidate = await this.#elaborators.use(
      async (lease) => await elaborateClaim(lease, claim, limits),
      { preamble, ...(limits.signal && { signal: limits.signal }) },
    );
    return await this.#judgeCandidate(claim, candidate, limits);
  }

  /** The same for a caller that holds a worker already: the candidate is elaborated there. */
  async checkIn(lease: Lease, claim: Claim, limits: RequestLimits = {}): Promise<Verdict> {
    return await this.#unlessCancelled(claim.preamble ?? '', limits, async () => {
      const candidate = await elaborateClaim(lease, claim, limits);
      return await this.#judgeCandidate(claim, candidate, limits);
    });
  }

  async #judgeCandidate(
    claim: Claim,
    candidate: ElaboratedClaim | FailedPart,
    limits: RequestLimits,
  ): Promise<Verdict> {
    if ('failure' in candidate) {
      const identity = identify(this.#judges.toolchain, claim.preamble ?? '');
      return refuse(identity, candidate, candidate.cpuSeconds);
    }
    return await this.judge(claim, candidate.export, limits, candidate.cpuSeconds);
  }

  /** Judge an export, wherever it comes from. */
  async judge(
    claim: Omit<Claim, 'proof'>,
    exported: unknown,
    limits: RequestLimits = {},
    cpuBefore = 0,
  ): Promise<Verdict> {
    return await this.#unlessCancelled(
      claim.preamble ?? '',
      limits,
      async () => await this.#judge(claim, exported, limits, cpuBefore),
    );
  }

  async #judge(
    claim: Omit<Claim, 'proof'>,
    exported: unknown,
    limits: RequestLimits,
    cpuBefore: number,
  ): Promise<Verdict> {
    const { preamble = '', statement, allowAxioms = [] } = claim;
    const identity = identify(this.#judges.toolchain, preamble);
    return await this.#judges.use(
      async (lease) => {
        const session = await lease.session(preamble, limits);
        if (typeof session !== 'number') {
          const refused = inPlace(session, 'the preamble');
          return refuse(identity, refused, cpuBefore + refused.cpuSeconds);
        }
        const reply = await lease.request(
          'judge',
          { session, statement, export: exported, allow_axioms: allowAxioms, stages: this.#stages },
          limits,
        );
        const cpu = cpuBefore + reply.cost.cpuSeconds;
        if (!reply.ok) return refuse(identity, { failure: reply }, cpu);
        return accept(identity, reply, this.#assurance(true), cpu);
      },
      { preamble, ...(limits.signal && { signal: limits.signal }) },
    );
  }

  /** A cancellation while all workers are busy is an answer like one that comes later. */
  async #unlessCancelled(
    preamble: string,
    { signal }: RequestLimits,
    run: () => Promise<Verdict>,
  ): Promise<Verdict> {
    try {
      return await run();
    } catch (error) {
      if (!signal?.aborted || error !== signal.reason) throw error;
      const why = failure('cancelled', 'cancelled before it started');
      return refuse(identify(this.#judges.toolchain, preamble), { failure: why }, 0);
    }
  }

  /** Every theorem of a file; with a reference, every theorem that the reference states. */
  async checkFile(claim: FileClaim, limits: RequestLimits = {}): Promise<Verdict[]> {
    const identity = identify(this.#judges.toolchain, claim.text);
    const candidate = await this.#elaborators.use(
      async (lease) => await elaborateFile(lease, claim.text, limits),
    );
    if ('failure' in candidate) return [refuse(identity, candidate, candidate.cpuSeconds)];
    return await this.#judges.use(
      async (lease) => await this.#judgeFile(lease, identity, claim, candidate, limits),
    );
  }

  async #judgeFile(
    lease: Lease,
    identity: Identity,
    { against, allowAxioms = [] }: FileClaim,
    candidate: ElaboratedFile,
    limits: RequestLimits,
  ): Promise<Verdict[]> {
    const reference =
      against === undefined
        ? undefined
        : await lease.request('load', { session: lease.rootSession, text: against }, limits);
    if (reference && !reference.ok)
      return [refuse(identity, { failure: reference, place: 'the reference' }, reference.cost.cpuSeconds)];
    const names = (reference ?? candidate).theorems.map(({ name }) => name);
    const reply = await lease.request(
      'judge-file',
      {
        session: reference?.session ?? lease.rootSession,
        against: reference !== undefined,
        names,
        export: candidate.export,
        allow_axioms: allowAxioms,
        stages: this.#stages,
      },
      limits,
    );
    if (!reply.ok) return [refuse(identity, { failure: reply, place: 'the file' }, reply.cost.cpuSeconds)];

    const cpu = (candidate.cpuSeconds + reply.cost.cpuSeconds) / Math.max(1, reply.theorems.length);
    const blame = ({ start, text }: Message, name?: string): Verdict =>
      refuse(identity, { failure: failure('elaboration', text), place: describePosition(start), name }, cpu);
    const verdicts = reply.theorems.map((theorem) => {
      const written = candidate.theorems.find(({ name }) => name === theorem.name);
      const error = candidate.errors.find((message) => isWithin(message, written));
      if (error) return blame(error, theorem.name);
      if (!theorem.ok) return refuse(identity, { failure: theorem, name: theorem.name }, cpu);
      return accept(identity, theorem, this.#assurance(reference !== undefined), cpu);
    });
    const elsewhere = candidate.errors.filter(
      (error) => !candidate.theorems.some((theorem) => isWithin(error, theorem)),
    );
    return [...elsewhere.map((error) => blame(error)), ...verdicts];
  }

  /** What an acceptance is worth: as much as the stages that ran, and no more than a bound statement allows. */
  #assurance(isBound: boolean): Assurance {
    const ran = (stage: Stage): boolean => this.#stages.includes(stage);
    if (!ran('form') || !ran('axioms')) return 'elaborated';
    if (!isBound || !ran('binding')) return 'axioms-clean';
    return ran('kernel') ? 'replayed' : 'statement-bound';
  }
}

interface ElaboratedClaim {
  readonly export: unknown;
  readonly cpuSeconds: number;
}

async function elaborateClaim(
  lease: Lease,
  { preamble = '', statement, proof, allowAxioms = [] }: Claim,
  limits: RequestLimits,
): Promise<ElaboratedClaim | FailedPart> {
  const session = await lease.session(preamble, limits);
  if (typeof session !== 'number') return inPlace(session, 'the preamble');
  const body = { session, statement, proof, allow_axioms: allowAxioms, export: true };
  const reply = await lease.request('check', body, limits);
  return reply.ok
    ? { export: reply.export, cpuSeconds: reply.cost.cpuSeconds }
    : inPlace(reply, placeIn(reply.messages, statement));
}

interface ElaboratedFile {
  readonly theorems: readonly Written[];
  readonly errors: readonly Message[];
  readonly export: unknown;
  readonly cpuSeconds: number;
}

interface FailedPart {
  readonly failure: Failure;
  readonly place: string | undefined;
  readonly cpuSeconds: number;
}

async function elaborateFile(
  lease: Lease,
  text: string,
  limits: RequestLimits,
): Promise<ElaboratedFile | FailedPart> {
  const loaded = await lease.request('load', { session: lease.rootSession, text, keep_going: true }, limits);
  if (!loaded.ok) return inPlace(loaded, 'the file');
  const names = loaded.theorems.map(({ name }) => name);
  const exported = await lease.request('export', { session: loaded.session, names }, limits);
  await lease.request('unload', { sessions: [loaded.session] });
  if (!exported.ok) return inPlace(exported, 'the file');
  return {
    theorems: loaded.theorems,
    errors: loaded.messages.filter(({ severity }) => severity === 'error'),
    export: exported.export,
    cpuSeconds: loaded.cost.cpuSeconds + exported.cost.cpuSeconds,
  };
}

function inPlace(
  reply: { ok: true } | (Failure & { cost: { cpuSeconds: number } }),
  place: string | undefined,
): FailedPart {
  if (reply.ok) throw new Error('a session that was loaded has a number');
  return { failure: reply, place, cpuSeconds: reply.cost.cpuSeconds };
}

/** Lean goes on after an error with `sorry`; the error is the reason that people want to see. */
function isWithin({ start: [line, column] }: Message, theorem: Written | undefined): boolean {
  if (!theorem) return false;
  const { start, end } = theorem;
  const isAfterStart = line > start[0] || (line === start[0] && column >= start[1]);
  return isAfterStart && (line < end[0] || (line === end[0] && column <= end[1]));
}
