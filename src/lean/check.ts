import type { Assurance, Verdict, VerdictWord } from '../core/verdict.ts';
import { environmentFingerprint } from './fingerprint.ts';
import type { LeanPool } from './pool.ts';
import { describePosition } from './positions.ts';
import { failure, type Failure, type FailureKind, type Message, type Written } from './protocol.ts';
import { describeToolchain } from './toolchain/toolchain.ts';
import type { RequestLimits } from './worker.ts';

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

/** Elaborate the claim, replay it through the kernel without it, compare the statement, walk the axioms. */
export async function checkClaim(pool: LeanPool, claim: Claim, limits: RequestLimits = {}): Promise<Verdict> {
  const { preamble = '', statement, proof } = claim;
  const common = identify(pool, preamble);
  return await pool.use(
    async (lease) => {
      const session = await lease.session(preamble, limits);
      if (typeof session !== 'number') {
        if (session.ok) throw new Error('a loaded session has a number');
        return refuse(common, session, session.cost.cpuSeconds, 'the preamble');
      }
      const body = { session, statement, proof, allow_axioms: claim.allowAxioms ?? [] };
      const reply = await lease.request('check', body, limits);
      const cpu = reply.cost.cpuSeconds;
      if (!reply.ok) return refuse(common, reply, cpu, where(reply, statement));
      return accept(common, reply, 'statement-bound', cpu);
    },
    { preamble, ...(limits.signal && { signal: limits.signal }) },
  );
}

/** Every theorem that a whole file declares. Nothing says what the file should state, so no statement is bound. */
export async function checkFile(
  pool: LeanPool,
  text: string,
  allowAxioms: readonly string[],
  limits: RequestLimits = {},
): Promise<Verdict[]> {
  const common = identify(pool, text);
  return await pool.use(async (lease) => {
    const loaded = await lease.request(
      'load',
      { session: lease.rootSession, text, keep_going: true },
      limits,
    );
    if (!loaded.ok) return [refuse(common, loaded, loaded.cost.cpuSeconds, 'the file')];
    const names = loaded.theorems.map(({ name }) => name);
    const audit = await lease.request(
      'audit',
      { session: loaded.session, names, allow_axioms: allowAxioms },
      limits,
    );
    if (!audit.ok) return [refuse(common, audit, audit.cost.cpuSeconds, 'the file')];

    const cpu = (loaded.cost.cpuSeconds + audit.cost.cpuSeconds) / Math.max(1, names.length);
    const errors = loaded.messages.filter(({ severity }) => severity === 'error');
    const blame = ({ start, text: why }: Message, name?: string): Verdict =>
      refuse(common, failure('elaboration', why), cpu, describePosition(start), name);
    const verdicts = audit.theorems.map((theorem, index) => {
      const error = errors.find((candidate) => isWithin(candidate, loaded.theorems[index]));
      if (error) return blame(error, theorem.name);
      if (!theorem.ok) return refuse(common, theorem, cpu, undefined, theorem.name);
      return accept(common, theorem, 'axioms-clean', cpu);
    });
    const others = errors.filter((error) => !loaded.theorems.some((theorem) => isWithin(error, theorem)));
    return [...others.map((error) => blame(error)), ...verdicts];
  });
}

/** Lean goes on after an error with `sorry`; the error is the reason that people want to see. */
function isWithin({ start: [line, column] }: Message, theorem: Written | undefined): boolean {
  if (!theorem) return false;
  const { start, end } = theorem;
  const isAfterStart = line > start[0] || (line === start[0] && column >= start[1]);
  return isAfterStart && (line < end[0] || (line === end[0] && column <= end[1]));
}

type Identity = Pick<Verdict, 'toolchain' | 'fingerprint'>;

function identify(pool: LeanPool, preamble: string): Identity {
  return {
    toolchain: describeToolchain(pool.toolchain),
    fingerprint: environmentFingerprint(pool.toolchain, preamble),
  };
}

function accept(
  common: Identity,
  proved: { readonly name: string; readonly axioms: readonly string[]; readonly assumes: readonly string[] },
  assurance: Assurance,
  cpuSeconds: number,
): Verdict {
  const { name, axioms, assumes } = proved;
  const message = 'the kernel accepts the proof';
  return {
    verdict: 'accepted',
    kind: 'proved',
    message,
    name,
    assurance,
    axioms,
    assumes,
    ...common,
    cpu_seconds: cpuSeconds,
  };
}

function refuse(common: Identity, why: Failure, cpuSeconds: number, place?: string, name?: string): Verdict {
  return {
    verdict: verdictOf(why.kind),
    kind: why.kind,
    message: place === undefined ? why.message : `${place}: ${why.message}`,
    ...(name !== undefined && { name }),
    assurance: null,
    axioms: why.axioms,
    assumes: [],
    ...common,
    cpu_seconds: cpuSeconds,
  };
}

/** The text was read and is wrong: rejected. A limit was reached or a tool broke: unknown. */
export function verdictOf(kind: FailureKind): VerdictWord {
  switch (kind) {
    case 'statement':
    case 'parse':
    case 'elaboration':
    case 'tactic':
    case 'missing-import':
    case 'sorry':
    case 'axiom':
    case 'unsafe':
    case 'unsupported':
    case 'kernel':
    case 'statement-changed':
      return 'rejected';
    case 'heartbeats':
    case 'recursion':
    case 'timeout':
    case 'memory':
    case 'cancelled':
    case 'crash':
    case 'invalid-request':
    case 'unknown-session':
    case 'unknown-state':
      return 'unknown';
  }
}

/** Lean saw `statement := proof` as one text; people gave two. */
function where(why: Failure, statement: string): string | undefined {
  const first = why.messages.find((message) => message.severity === 'error');
  if (!first) return undefined;
  const lines = statement.split('\n');
  const lastLine = lines.at(-1) ?? '';
  const proofColumn = Array.from(lastLine).length + ' := '.length;
  const [line, column] = first.start;
  if (line < lines.length || (line === lines.length && column < proofColumn))
    return `the statement, ${describePosition(first.start)}`;
  return `the proof, ${describePosition([
    line - lines.length + 1,
    line === lines.length ? column - proofColumn : column,
  ])}`;
}
