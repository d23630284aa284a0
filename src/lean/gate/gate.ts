import type { Verdict } from '../../core/verdict.ts';
import type { LeanEnvironment } from '../environment.ts';
import { parseNames } from '../names.ts';
import type { Lease } from '../lease.ts';
import type { LeanPool, LeaseOptions } from '../pool.ts';
import { describePosition } from '../positions.ts';
import { failure, type Failure, type Message, type Sorry, type Written } from '../protocol.ts';
import type { RequestLimits } from '../worker.ts';
import { restsOn } from './rests-on.ts';
import {
  constantsBelow,
  elaborateClaim,
  elaborateFile,
  showClaim,
  stateClaim,
  stateFile,
  type Claim,
  type FailedPart,
  type Made,
  type Question,
  type StatementData,
} from './roles.ts';
import type { SecondKernelWish, SecondOpinions } from './second-opinion.ts';
import { assuranceOf, stages, type Stage } from './stages.ts';
import { plainName, statedByItself } from './stated-by-itself.ts';
import { accept, identify, refuse, type Identity, type Refused } from './verdicts.ts';

export type { Claim, Question, StatementData } from './roles.ts';
export { stages, type Stage } from './stages.ts';

export interface FileClaim {
  readonly text: string;
  /** What the file imports from a project. */
  readonly environment?: LeanEnvironment | undefined;
  /** A file that says what should be proved: its statements and definitions bind. */
  readonly against?: string;
  /** What the reference imports, where that is not what the file imports: modules below it may have changed as well. */
  readonly againstIn?: LeanEnvironment | undefined;
  readonly allowAxioms?: readonly string[];
  /** Let the second kernel look as well. */
  readonly secondKernel?: SecondKernelWish | undefined;
}

/** Verdicts on a file, and what Lean said while it was elaborated. */
export interface JudgedFile {
  readonly verdicts: Verdict[];
  readonly messages: readonly Message[];
  readonly sorries: readonly Sorry[];
  /** Where its theorems stand. */
  readonly theorems: readonly Written[];
  /** Where those of the reference stand, if there is one. */
  readonly stated: readonly Written[];
}

/** So many statements are kept as data. */
const maxStated = 500;

/**
 * The only authority. Three roles, with data between them: the *stater* elaborates preamble and statement and says them as
 * data; the *elaborator* runs the candidate and exports its constants; the *judge*, a process that never sees a text of a
 * user, reads both exports, lets the kernel add every constant and the theorem with the statement's type and the
 * candidate's value, and walks the axioms. Its verdict is a function of library, both exports and the allowed axioms.
 */
export class Gate {
  readonly #workers: LeanPool;
  readonly #judges: LeanPool;
  readonly #stages: readonly Stage[];
  readonly #second: SecondOpinions | undefined;
  readonly #stated = new Map<string, StatementData>();

  constructor(workers: LeanPool, judges: LeanPool, use: readonly Stage[] = stages, second?: SecondOpinions) {
    this.#workers = workers;
    this.#judges = judges;
    this.#stages = use;
    this.#second = second;
  }

  async check(claim: Claim, limits: RequestLimits = {}): Promise<Verdict> {
    return await this.#guard(claim, limits, async () => {
      // one lease for both roles: the statement is data before the candidate runs
      const both = await this.#workers.use(
        async (lease) => {
          const stated = await this.#state(lease, claim, limits);
          if ('failure' in stated) return stated;
          const made = await elaborateClaim(lease, claim, limits);
          const cpuSeconds = stated.cpuSeconds + made.cpuSeconds;
          return 'failure' in made
            ? { ...made, cpuSeconds }
            : { data: { stated: stated.data, candidate: made.data }, cpuSeconds };
        },
        leaseFor(claim, limits),
      );
      if ('failure' in both) return await this.#refuse(claim.preamble, claim.environment, both);
      const { stated, candidate } = both.data;
      return await this.#judge(claim, stated, candidate, limits, both.cpuSeconds);
    });
  }

  /** The same for a caller that holds a worker and has the statement as data already. */
  async checkIn(
    lease: Lease,
    claim: Claim,
    stated: StatementData,
    limits: RequestLimits = {},
  ): Promise<Verdict> {
    return await this.#guard(claim, limits, async () => {
      const made = await elaborateClaim(lease, claim, limits);
      if ('failure' in made) return await this.#refuse(claim.preamble, claim.environment, made);
      return await this.#judge(claim, stated, made.data, limits, made.cpuSeconds);
    });
  }

  /** What a question says, as data. */
  async state(question: Question, limits: RequestLimits = {}): Promise<Made<StatementData> | FailedPart> {
    return await this.#workers.use(
      async (lease) => await this.#state(lease, question, limits),
      leaseFor(question, limits),
    );
  }

  /** Judge a candidate's export for a question, wherever the export comes from. */
  async judge(question: Question, exported: unknown, limits: RequestLimits = {}): Promise<Verdict> {
    return await this.#guard(question, limits, async () => {
      const stated = await this.state(question, limits);
      if ('failure' in stated) return await this.#refuse(question.preamble, question.environment, stated);
      return await this.#judge(question, stated.data, exported, limits, stated.cpuSeconds);
    });
  }

  /** Judge two exports, wherever they come from. */
  async judgeData(
    question: Omit<Question, 'statement'>,
    stated: StatementData,
    exported: unknown,
    limits: RequestLimits = {},
  ): Promise<Verdict> {
    return await this.#guard(
      question,
      limits,
      async () => await this.#judge(question, stated, exported, limits, 0),
    );
  }

  /** What Lean elaborates for a question, as it prints it, or why it does not. */
  async show(question: Question, limits: RequestLimits = {}): Promise<string> {
    return await this.#workers.use(
      async (lease) => await showClaim(lease, question, limits),
      leaseFor(question, limits),
    );
  }

  /** The stater's part, once for each question: equal texts make equal data. */
  async #state(
    lease: Lease,
    question: Question,
    limits: RequestLimits,
  ): Promise<Made<StatementData> | FailedPart> {
    const { preamble = '', statement, allowAxioms = [] } = question;
    const key = JSON.stringify([lease.closure, preamble, statement, allowAxioms]);
    const known = this.#stated.get(key);
    if (known !== undefined) return { data: known, cpuSeconds: 0 };
    const stated = await stateClaim(lease, question, limits);
    if ('failure' in stated) return stated;
    const [oldest] = this.#stated.keys();
    if (this.#stated.size >= maxStated && oldest !== undefined) this.#stated.delete(oldest);
    this.#stated.set(key, stated.data);
    return stated;
  }

  async #judge(
    { preamble, environment, allowAxioms = [], secondKernel }: Omit<Question, 'statement'>,
    stated: StatementData,
    candidate: unknown,
    limits: RequestLimits,
    cpuBefore: number,
  ): Promise<Verdict> {
    const identity = await this.#identify(preamble, environment);
    const body = {
      statement: stated,
      candidate,
      allow_axioms: parseNames(allowAxioms),
      stages: this.#stages,
    };
    const reply = await this.#judges.use(
      async (lease) => await lease.request('judge', body, limits),
      limits.signal && { signal: limits.signal },
    );
    const cpu = cpuBefore + reply.cost.cpuSeconds;
    if (!reply.ok) return refuse(identity, explained(reply, candidate), cpu);
    const accepted = accept(identity, reply, assuranceOf(this.#stages, true), cpu);
    const judged = { kind: 'claim', statement: stated, candidate, allowAxioms } as const;
    return (await this.#second?.on([accepted], judged, secondKernel, limits))?.[0] ?? accepted;
  }

  /** Every theorem of a file; with a reference, every theorem that the reference states. */
  async checkFile(claim: FileClaim, limits: RequestLimits = {}): Promise<Verdict[]> {
    return (await this.judgeFile(claim, limits)).verdicts;
  }

  /** The same, with what Lean said of the file on the way; `sorries` too, where they are wanted. */
  async judgeFile(claim: FileClaim, limits: RequestLimits = {}, sorries = false): Promise<JudgedFile> {
    const { text, environment, against, againstIn = environment, allowAxioms = [], secondKernel } = claim;
    const reference =
      against === undefined
        ? undefined
        : await this.#workers.use(async (lease) => await stateFile(lease, against, allowAxioms, limits), {
            environment: againstIn,
          });
    const failed = async (part: FailedPart): Promise<JudgedFile> => ({
      verdicts: [await this.#refuse(text, environment, part)],
      messages: part.failure.messages,
      sorries: [],
      theorems: [],
      stated: [],
    });
    if (reference && 'failure' in reference) return await failed(reference);
    const candidate = await this.#workers.use(
      async (lease) => await elaborateFile(lease, text, limits, sorries),
      { environment },
    );
    if ('failure' in candidate) return await failed(candidate);
    const said = {
      messages: candidate.messages,
      sorries: candidate.sorries,
      theorems: candidate.theorems,
      stated: reference?.theorems ?? [],
    };
    const body = {
      ...(reference && { reference: reference.data }),
      candidate: candidate.data,
      allow_axioms: parseNames(allowAxioms),
      stages: this.#stages,
    };
    const reply = await this.#judges.use(async (lease) => await lease.request('judge-file', body, limits));
    const identity = await this.#identify(text, environment);
    const stated =
      candidate.ranCode && !reference
        ? await statedByItself({
            workers: this.#workers,
            judges: this.#judges,
            stages: this.#stages,
            claim,
            candidate: candidate.data,
            limits,
          })
        : undefined;
    const spent =
      (reference?.cpuSeconds ?? 0) + (stated?.cpuSeconds ?? 0) + candidate.cpuSeconds + reply.cost.cpuSeconds;
    if (!reply.ok)
      return { verdicts: [refuse(identity, { failure: reply, place: 'the file' }, spent)], ...said };

    // where a name is written twice, the first is the theorem and the second Lean's error
    const writtenAs = new Map(candidate.theorems.toReversed().map((written) => [written.name, written]));
    const unlisted = reply.theorems.filter(({ ok, name }) => !ok && !writtenAs.has(name));
    // what code of a module says of that module's names is worth nothing
    const isOthers =
      unlisted.length === 0 || candidate.ranCode ? () => false : await this.#namesBelow(environment, limits);
    const theorems = reply.theorems.filter((one) => !(unlisted.includes(one) && isOthers(one.name)));
    const cpu = spent / Math.max(1, theorems.length);
    const blamed = new Set<Message>();
    const byLean = theorems.map((theorem) => {
      const written = writtenAs.get(theorem.name);
      const error = candidate.errors.find((message) => isWithin(message, written));
      if (error) {
        blamed.add(error);
        return blame(identity, error, cpu, theorem.name);
      }
      if (!theorem.ok) return refuse(identity, explained(theorem, candidate.data, theorem.name), cpu);
      if (candidate.ranCode && !reference && stated?.proved.has(theorem.name) !== true)
        return doubt(identity, theorem.name, cpu);
      return accept(identity, theorem, assuranceOf(this.#stages, reference !== undefined), cpu);
    });
    const judged = {
      kind: 'file',
      statement: reference?.data,
      candidate: candidate.data,
      allowAxioms,
    } as const;
    const verdicts = (await this.#second?.on(byLean, judged, secondKernel, limits)) ?? byLean;
    const others = candidate.errors.filter((error) => !blamed.has(error));
    // a module that the file imports may have a meaning of its own for `theorem`
    const isTold = new Set(theorems.map(({ name }) => plainName(name)));
    const untold = (stated?.written ?? []).filter(
      (name) =>
        !isTold.has(plainName(name)) &&
        !candidate.errors.some((message) => isWithin(message, writtenAs.get(name))),
    );
    const kept = new Set([...(stated?.hidden ?? []), ...untold]);
    const all = [
      ...others.map((error) => blame(identity, error, cpu)),
      ...verdicts,
      ...[...kept].map((name) => doubt(identity, name, cpu)),
    ];
    const what = reference ? 'the reference' : 'the file';
    return { verdicts: all.length > 0 ? all : [nothing(identity, what, cpu)], ...said };
  }

  /** Whether a name belongs to a module below a file. Whatever of the file rests on it is refused for itself. */
  async #namesBelow(
    environment: LeanEnvironment | undefined,
    limits: RequestLimits,
  ): Promise<(name: string) => boolean> {
    if (!environment || environment.project === null) return () => false;
    const below = await this.#workers.use(async (lease) => await constantsBelow(lease, limits), {
      environment,
    });
    const names = new Set(below.map(({ name }) => name));
    const modules = new Set(below.map(({ module }) => module));
    return (name) => names.has(name) || modules.has(/^_private\.(.+?)\.\d+\./.exec(name)?.[1] ?? '');
  }

  async #refuse(
    preamble: string | undefined,
    environment: LeanEnvironment | undefined,
    part: FailedPart,
  ): Promise<Verdict> {
    return refuse(await this.#identify(preamble, environment), part, part.cpuSeconds);
  }

  /** Everything besides statement and proof that a verdict depends on. */
  async #identify(preamble = '', environment: LeanEnvironment | undefined): Promise<Identity> {
    const opened = environment && (await this.#workers.environments.open(environment));
    const closure = opened && 'key' in opened ? opened.closure : '';
    return identify(this.#judges.toolchain, preamble, closure);
  }

  /** A cancellation while all workers are busy is an answer like one that comes later. */
  async #guard(
    { preamble, environment }: Pick<Question, 'preamble' | 'environment'>,
    { signal }: RequestLimits,
    run: () => Promise<Verdict>,
  ): Promise<Verdict> {
    try {
      return await run();
    } catch (error) {
      if (!signal?.aborted || error !== signal.reason) throw error;
      const why = failure('cancelled', 'cancelled before it started');
      return await this.#refuse(preamble, environment, { failure: why, place: undefined, cpuSeconds: 0 });
    }
  }
}

function leaseFor(
  { preamble = '', environment }: Pick<Question, 'preamble' | 'environment'>,
  limits: RequestLimits,
): LeaseOptions {
  return { preamble, environment, ...(limits.signal && { signal: limits.signal }) };
}

/** A `sorry` or an axiom may be somebody else's. */
function explained(why: Failure, exported: unknown, name?: string): Refused {
  const isOthers = why.kind === 'sorry' || why.kind === 'axiom';
  return { failure: why, name, ...(isOthers && { restsOn: restsOn(exported, name) }) };
}

/** Code of a file could hide a theorem from the file's own list: without a reference nobody knows what it should prove. */
function doubt(identity: Identity, name: string, cpuSeconds: number): Verdict {
  const why = failure(
    'runs-code',
    'the file runs code of its own, which could hide a theorem; only --against says what it must prove',
  );
  return refuse(identity, { failure: why, name }, cpuSeconds);
}

/** A file that claims nothing is no success. */
function nothing(identity: Identity, what: string, cpuSeconds: number): Verdict {
  return refuse(identity, { failure: failure('no-theorem', `${what} states no theorem`) }, cpuSeconds);
}

function blame(identity: Identity, { start, text }: Message, cpuSeconds: number, name?: string): Verdict {
  const why = { failure: failure('elaboration', text), place: describePosition(start), name };
  return refuse(identity, why, cpuSeconds);
}

/** Lean goes on after an error with `sorry`; the error is the reason that people want to see. */
function isWithin({ start: [line, column] }: Message, theorem: Written | undefined): boolean {
  if (!theorem) return false;
  const { start, end } = theorem;
  const isAfterStart = line > start[0] || (line === start[0] && column >= start[1]);
  return isAfterStart && (line < end[0] || (line === end[0] && column <= end[1]));
}
