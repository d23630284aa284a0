// Over 300 lines because everything that decides a verdict is in one place, for auditing.
import { realpathSync } from 'node:fs';
import { failed, success, type Result } from '../../core/result.ts';
import type { Verdict, ReadWith } from './verdict.ts';
import { environmentOf, onlyModules, type LeanEnvironment } from '../project/environment.ts';
import { broken, readConstraints, simpClaim } from './constraints.ts';
import { isWithoutLibrary, withoutImports } from '../base/header.ts';
import { parseNames, type Name } from '../base/names.ts';
import type { Lease } from '../workers/lease.ts';
import { forFile, type LeanPool, type LeaseOptions } from '../workers/pool.ts';
import { byItself } from '../project/image-choice.ts';
import {
  failure,
  type Declared,
  type Message,
  type Reply,
  type Sorry,
  type Written,
} from '../base/protocol.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import { explained, verdictsOfFile } from './file-verdicts.ts';
import {
  constantsBelow,
  elaborateClaim,
  elaborateFile,
  partFailure,
  showClaim,
  stateClaim,
  stateFile,
  type Claim,
  type FailedPart,
  type Made,
  type Question,
  type StatedFile,
  type StatementData,
} from './roles.ts';
import type { SecondKernelWish, SecondOpinions } from './second-opinion.ts';
import { assuranceOf, stages, type Stage } from './stages.ts';
import { statedByItself } from './stated-by-itself.ts';
import { withGiven } from './given.ts';
import { accept, conditional, identify, refuse, type Identity } from './verdicts.ts';

export type { Claim, Question, StatementData } from './roles.ts';
export { stages, type Stage } from './stages.ts';

export interface FileClaim {
  readonly text: string;
  /** The project modules that the file imports. */
  readonly environment?: LeanEnvironment | undefined;
  /** Where the file is stored, if anywhere: a reference must not import it. */
  readonly file?: string | undefined;
  /** A file that says what should be proved: its statements and definitions bind. */
  readonly against?: string;
  /**
   * The environment of the reference. Never the candidate's, whose modules and options could change the meaning of the same text. Default: only Lean's library.
   */
  readonly againstIn?: LeanEnvironment | undefined;
  /** Declarations of the reference whose type binds and whose body the file supplies, by full name. */
  readonly holes?: readonly string[];
  readonly allowAxioms?: readonly string[];
  /** Open theorems of the reference or of imported modules that proofs may use if they stand above. */
  readonly assume?: readonly string[];
  /** Also check with the second kernel. */
  readonly secondKernel?: SecondKernelWish | undefined;
}

/** Declarations of compiled modules as data, judged without an elaborator. */
interface ModulesClaim {
  /** What they must declare, as JSON text. */
  readonly statement: string;
  readonly candidate: unknown;
  /** Declarations whose body the candidate supplies. */
  readonly holes: readonly Name[];
  readonly allowAxioms?: readonly string[];
}

/** Verdicts on a file, and Lean's messages about it. */
export interface JudgedFile {
  readonly verdicts: Verdict[];
  readonly messages: readonly Message[];
  readonly sorries: readonly Sorry[];
  /** The folder or file of its theorems. */
  readonly theorems: readonly Written[];
  /** The same for the reference, if there is one. */
  readonly stated: readonly Written[];
  /** All declarations of the file, and of the reference. */
  readonly declared: { readonly here: readonly Declared[]; readonly there: readonly Declared[] };
  /** It runs its own code; the reference, if any, does not. */
  readonly addsCode: boolean;
}

interface FileWishes {
  readonly sorries?: boolean;
  /** Called when the file no longer needs a worker, only the judge. */
  readonly onElaborated?: (() => void) | undefined;
}

const ownLibrary =
  'it begins with `prelude` and does not import Init, so its names are not those of the library in which the reference is stated';

/** Number of statements kept as data. */
const maxStated = 500;

/**
 * The only authority. Three roles, with data between them. The *stater* elaborates preamble and statement and exports them as
 * data. The *elaborator* runs the candidate and exports its constants. The *judge*, a process that never sees user
 * text, reads both exports, lets the kernel add every constant and the theorem with the statement's type and the
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
    this.#startJudge();
    return await this.#guard(claim, limits, async () => {
      // one lease for both roles: the statement is data before the candidate runs
      const both = await this.#workers.use(
        async (lease) => {
          const stated = await this.#state(lease, claim, limits);
          if (!stated.ok) return stated;
          const before = stated.value.cpuSeconds;
          const made = await elaborateClaim(lease, claim, limits);
          if (!made.ok) return failed({ ...made.error, cpuSeconds: before + made.error.cpuSeconds });
          const data = { stated: stated.value.data, candidate: made.value.data };
          return success({ data, cpuSeconds: before + made.value.cpuSeconds });
        },
        leaseFor(claim, limits),
      );
      if (!both.ok) return await this.#refuse(claim.preamble, claim.environment, both.error);
      const { stated, candidate } = both.value.data;
      const verdict = await this.#judge(claim, stated, candidate, limits, both.value.cpuSeconds);
      return claim.constraints === undefined || verdict.verdict !== 'accepted'
        ? verdict
        : await this.#constrained(claim, verdict, candidate, limits);
    });
  }

  /** An accepted proof must also meet the additional requirements. */
  async #constrained(
    claim: Claim,
    verdict: Verdict,
    candidate: unknown,
    limits: RequestLimits,
  ): Promise<Verdict> {
    const constraints = readConstraints(claim.constraints ?? []);
    const plain = { ...claim, constraints: undefined };
    const limited = constraints.imports && (await this.#withOnly(plain, constraints.imports, limits));
    if (limited?.verdict === 'unknown') return limited;
    const why =
      broken(constraints, verdict.name ?? '', candidate) ??
      (constraints.simp ? await this.#noRule(plain, limits) : undefined) ??
      (limited?.verdict === 'rejected'
        ? `imports: it does not hold with ${constraints.imports?.join(', ')} alone (${limited.message})`
        : undefined);
    if (why === undefined) return verdict;
    const refusal = partFailure(failure('constraint', why), undefined, verdict.cpu_seconds);
    return await this.#refuse(claim.preamble, claim.environment, refusal);
  }

  async #noRule(claim: Claim, limits: RequestLimits): Promise<string | undefined> {
    const rule = simpClaim(claim.statement);
    const verdict = rule && (await this.check({ ...claim, ...rule }, limits));
    if (verdict?.verdict === 'accepted') return undefined;
    return `[simp] desirable: simp cannot rewrite with it (${verdict?.message ?? 'the statement has another form'})`;
  }

  async #withOnly(claim: Claim, imports: readonly string[], limits: RequestLimits): Promise<Verdict> {
    const { project } = claim.environment ?? environmentOf(claim.preamble ?? '');
    const environment =
      project === null ? onlyModules(imports) : { imports: [...imports].toSorted(), options: {}, project };
    const preamble = withoutImports(claim.preamble ?? '');
    return await this.check({ ...claim, preamble, environment }, limits);
  }

  /**
   * The same for a candidate that is elaborated after another preamble, which proves more than the claim's. The statement stays that of the claim.
   */
  async checkAfter(preamble: string, claim: Claim, limits: RequestLimits = {}): Promise<Verdict> {
    return await this.#guard(claim, limits, async () => {
      const stated = await this.state(claim, limits);
      if (!stated.ok) return await this.#refuse(claim.preamble, claim.environment, stated.error);
      const { data, cpuSeconds } = stated.value;
      const after = { ...claim, preamble };
      const made = await this.#workers.use(
        async (lease) => await elaborateClaim(lease, after, limits),
        leaseFor(after, limits),
      );
      if (!made.ok) return await this.#refuse(claim.preamble, claim.environment, made.error);
      return await this.#judge(claim, data, made.value.data, limits, cpuSeconds + made.value.cpuSeconds);
    });
  }

  /** The same for a caller that already has a worker and the statement as data. */
  async checkIn(
    lease: Lease,
    claim: Claim,
    stated: StatementData,
    limits: RequestLimits = {},
  ): Promise<Verdict> {
    return await this.#guard(claim, limits, async () => {
      const made = await elaborateClaim(lease, claim, limits);
      if (!made.ok) return await this.#refuse(claim.preamble, claim.environment, made.error);
      return await this.#judge(claim, stated, made.value.data, limits, made.value.cpuSeconds);
    });
  }

  /** The statement of a question as data. */
  async state(
    question: Question,
    limits: RequestLimits = {},
  ): Promise<Result<Made<StatementData>, FailedPart>> {
    return await this.#workers.use(
      async (lease) => await this.#state(lease, question, limits),
      leaseFor(question, limits),
    );
  }

  /** Judge a candidate's export for a question, wherever the export comes from. */
  async judge(question: Question, exported: unknown, limits: RequestLimits = {}): Promise<Verdict> {
    return await this.#guard(question, limits, async () => {
      const stated = await this.state(question, limits);
      if (!stated.ok) return await this.#refuse(question.preamble, question.environment, stated.error);
      return await this.#judge(question, stated.value.data, exported, limits, stated.value.cpuSeconds);
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

  /** The elaborated statement as Lean prints it, or an error. */
  async show(question: Question, limits: RequestLimits = {}): Promise<string> {
    return await this.#workers.use(
      async (lease) => await showClaim(lease, question, limits),
      leaseFor(question, limits),
    );
  }

  /** Starts while the claim is elaborated. An error here will occur again when the judge is used. */
  #startJudge(): void {
    this.#judges.prepare().catch(() => undefined);
  }

  /** The stater's part, once per question: equal texts give equal data. */
  async #state(
    lease: Lease,
    question: Question,
    limits: RequestLimits,
  ): Promise<Result<Made<StatementData>, FailedPart>> {
    const { preamble = '', statement, allowAxioms = [], assume = [] } = question;
    const key = JSON.stringify([lease.closure, preamble, statement, allowAxioms, assume]);
    const known = this.#stated.get(key);
    if (known !== undefined) return success({ data: known, cpuSeconds: 0 });
    const stated = await stateClaim(lease, question, limits);
    if (!stated.ok) return stated;
    const [oldest] = this.#stated.keys();
    if (this.#stated.size >= maxStated && oldest !== undefined) this.#stated.delete(oldest);
    this.#stated.set(key, stated.value.data);
    return stated;
  }

  async #judge(
    { preamble, environment, allowAxioms = [], assume = [], secondKernel }: Omit<Question, 'statement'>,
    stated: StatementData,
    candidate: unknown,
    limits: RequestLimits,
    cpuBefore: number,
  ): Promise<Verdict> {
    const identity = await this.#identify(preamble, environment);
    const body = {
      statement: stated.data,
      candidate,
      allow_axioms: parseNames(allowAxioms),
      assume: parseNames(assume),
      stages: this.#stages,
    };
    const reply = await this.#judges.use(
      async (lease) => await lease.request('judge', body, limits),
      limits.signal && { signal: limits.signal },
    );
    const cpu = cpuBefore + reply.cost.cpuSeconds;
    if (!reply.ok) return refuse(identity, explained(reply, candidate), cpu);
    if (reply.given.length > 0) return conditional(identity, reply, cpu);
    const proved = { ...reply, bound: stated.bound };
    const accepted = accept(identity, proved, assuranceOf(this.#stages, true), cpu);
    const judged = { kind: 'claim', statement: stated.data, candidate, allowAxioms } as const;
    return (await this.#second?.on([accepted], judged, secondKernel, limits))?.[0] ?? accepted;
  }

  /** Every theorem of a file; with a reference, every theorem that the reference states. */
  async checkFile(claim: FileClaim, limits: RequestLimits = {}): Promise<Verdict[]> {
    return (await this.judgeFile(claim, limits)).verdicts;
  }

  /** The same, with Lean's messages about the file, and its `sorries` on request. */
  async judgeFile(
    claim: FileClaim,
    limits: RequestLimits = {},
    { sorries = false, onElaborated }: FileWishes = {},
  ): Promise<JudgedFile> {
    const { text, environment, against, holes = [], allowAxioms = [], assume = [], secondKernel } = claim;
    this.#startJudge();
    const referenceIn = against === undefined ? undefined : this.#referenceIn(against, claim.againstIn);
    const referred =
      against === undefined || referenceIn === undefined
        ? success(undefined)
        : await this.#stateReference(against, referenceIn, claim, limits);
    const identity = await this.#identifyBoth(claim, referenceIn);
    const notJudged = (part: FailedPart): JudgedFile => ({
      verdicts: [refuse(identity, part, part.cpuSeconds)],
      messages: part.failure.messages,
      sorries: [],
      theorems: [],
      stated: [],
      declared: { here: [], there: [] },
      addsCode: false,
    });
    if (against !== undefined && isWithoutLibrary(text))
      return notJudged(partFailure(failure('statement-changed', ownLibrary), 'the file', 0));
    if (!referred.ok) return notJudged(referred.error);
    const reference = referred.value;
    const elaborated = await this.#workers.use(
      async (lease) => await elaborateFile(lease, text, limits, sorries),
      forFile(environment),
    );
    if (!elaborated.ok) return notJudged(elaborated.error);
    onElaborated?.();
    const candidate = elaborated.value;
    const said = {
      messages: candidate.messages,
      sorries: candidate.sorries,
      theorems: candidate.theorems,
      stated: reference?.theorems ?? [],
      declared: { here: candidate.account.written, there: reference?.account.written ?? [] },
      addsCode: candidate.ranCode && reference?.ranCode !== true,
    };
    const body = {
      ...(reference && { reference: reference.data, holes: parseNames(holes) }),
      candidate: candidate.data,
      allow_axioms: parseNames(allowAxioms),
      stages: this.#stages,
    };
    const judge = async (more = {}): Promise<Reply<'judge-file'>> =>
      await this.#judges.use(
        async (lease) => await lease.request('judge-file', { ...body, ...more }, limits),
      );
    const reply = await judge();
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
    // what remains open is assumed only where nothing else is missing
    const isAssumed = assume.length > 0 && reference !== undefined && reply.ok;
    const given = isAssumed ? await judge({ assume: parseNames(assume) }) : undefined;
    const spent =
      (reference?.cpuSeconds ?? 0) +
      (stated?.cpuSeconds ?? 0) +
      candidate.cpuSeconds +
      reply.cost.cpuSeconds +
      (given?.cost.cpuSeconds ?? 0);
    if (!reply.ok)
      return { verdicts: [refuse(identity, { failure: reply, place: 'the file' }, spent)], ...said };

    const declared = new Set(candidate.account.written.flatMap(({ constants }) => constants));
    const unlisted = reply.theorems.filter(({ ok, name }) => !ok && !declared.has(name));
    // a module whose code has run cannot be trusted to list its names
    const isOthers =
      unlisted.length === 0 || candidate.ranCode ? () => false : await this.#namesBelow(environment, limits);
    const byLean = verdictsOfFile({
      text,
      identity,
      stages: this.#stages,
      candidate,
      judged: withGiven(
        reply.theorems.filter((one) => !(unlisted.includes(one) && isOthers(one.name))),
        given?.ok ? given.theorems : [],
        reference?.account.written ?? [],
      ),
      others: reply.others,
      hasReference: reference !== undefined,
      stated,
      cpuSeconds: spent,
    });
    // the second kernel compares every definition of the reference, so it checks a file that fills holes by itself
    const judged = {
      kind: 'file',
      statement: holes.length > 0 ? undefined : reference?.data,
      candidate: candidate.data,
      allowAxioms,
    } as const;
    const verdicts = (await this.#second?.on(byLean, judged, secondKernel, limits)) ?? byLean;
    return { verdicts, ...said };
  }

  /** What compiled modules declare, against what others state; both as data. */
  async judgeModules(
    { statement, candidate, holes, allowAxioms = [] }: ModulesClaim,
    limits: RequestLimits = {},
  ): Promise<Verdict[]> {
    const identity = await this.#identify('', undefined);
    const body = {
      reference: statement,
      holes,
      candidate,
      allow_axioms: parseNames(allowAxioms),
      stages: this.#stages,
    };
    const reply = await this.#judges.use(async (lease) => await lease.request('judge-file', body, limits));
    const { cpuSeconds } = reply.cost;
    if (!reply.ok) return [refuse(identity, { failure: reply }, cpuSeconds)];
    const assurance = assuranceOf(this.#stages, true);
    return [...reply.theorems, ...reply.others].map((one) =>
      one.ok
        ? accept(identity, { ...one, isTheorem: one.theorem, bound: [] }, assurance, cpuSeconds)
        : refuse(identity, explained(one, candidate, one.name), cpuSeconds),
    );
  }

  /** The environment of a reference, independent of the library loaded for the candidate. */
  #referenceIn(against: string, named: LeanEnvironment | undefined): LeanEnvironment {
    return byItself(named ?? environmentOf(against), this.#workers.toolchain.imports);
  }

  async #stateReference(
    against: string,
    environment: LeanEnvironment,
    { file, allowAxioms, assume }: FileClaim,
    limits: RequestLimits,
  ): Promise<Result<StatedFile, FailedPart>> {
    const opened = await this.#workers.environments.open(environment);
    const below = opened.ok ? opened.value.modules.map((module) => realpathSync(module.file)) : [];
    if (file !== undefined && below.includes(realpathSync(file)))
      return failed(
        partFailure(
          failure('inseparable', `it imports ${file}, the file that it should judge`),
          'the reference',
          0,
        ),
      );
    return await this.#workers.use(
      async (lease) => await stateFile(lease, against, { allowAxioms: allowAxioms ?? [], assume }, limits),
      forFile(environment),
    );
  }

  /** Whether a name belongs to an imported module. Declarations of the file that depend on it are refused separately. */
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

  /** The same for a file; with a reference, both environments by name. */
  async #identifyBoth(
    { text, environment, against }: FileClaim,
    referenceIn: LeanEnvironment | undefined,
  ): Promise<Identity> {
    const own = await this.#identify(text, environment);
    if (against === undefined || referenceIn === undefined) return own;
    const other = await this.#identify(against, referenceIn);
    return {
      ...own,
      environments: {
        candidate: readWith(environment ?? environmentOf(text), own),
        reference: readWith(referenceIn, other),
      },
    };
  }

  /** Everything besides statement and proof that a verdict depends on. */
  async #identify(preamble = '', environment: LeanEnvironment | undefined): Promise<Identity> {
    const opened = environment && (await this.#workers.environments.open(environment));
    const closure = opened?.ok ? opened.value.closure : '';
    return identify(this.#judges.toolchain, preamble, closure);
  }

  /** A cancellation while waiting for a worker gives the same answer as a later one. */
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
      return await this.#refuse(preamble, environment, partFailure(why, undefined, 0));
    }
  }
}

function readWith({ project, imports, options }: LeanEnvironment, { fingerprint }: Identity): ReadWith {
  return { project, imports, options, fingerprint };
}

function leaseFor(
  { preamble = '', environment }: Pick<Question, 'preamble' | 'environment'>,
  limits: RequestLimits,
): LeaseOptions {
  return { preamble, environment, ...(limits.signal && { signal: limits.signal }) };
}
