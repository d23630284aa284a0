import type { Assurance, Verdict, VerdictWord } from '../core/verdict.ts';
import { environmentFingerprint } from './fingerprint.ts';
import type { Lease, LeanPool } from './pool.ts';
import { describePosition } from './positions.ts';
import { failure, type Failure, type FailureKind } from './protocol.ts';
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
  return await withLease(
    pool,
    limits,
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
    (why) => refuse(common, why, 0),
    preamble,
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
  return await withLease(
    pool,
    limits,
    async (lease) => {
      const body = { session: lease.rootSession, text, keep_going: true };
      const loaded = await lease.request('load', body, limits);
      if (!loaded.ok) return [refuse(common, loaded, loaded.cost.cpuSeconds, 'the file')];
      const verdicts = await auditTheorems(lease, loaded.session, allowAxioms, common, limits);
      const broken = loaded.messages
        .filter(({ severity }) => severity === 'error')
        .map(({ start, text: why }) =>
          refuse(common, failure('elaboration', why), 0, describePosition(start)),
        );
      return [...broken, ...verdicts];
    },
    (why) => [refuse(common, why, 0)],
  );
}

/** A cancellation while all workers are busy is an answer like one that comes later. */
async function withLease<Value>(
  pool: LeanPool,
  { signal }: RequestLimits,
  talk: (lease: Lease) => Promise<Value>,
  onCancelled: (why: Failure) => Value,
  preamble?: string,
): Promise<Value> {
  try {
    return await pool.use(talk, { ...(preamble !== undefined && { preamble }), ...(signal && { signal }) });
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason) throw error;
    return onCancelled(failure('cancelled', 'cancelled before it started'));
  }
}

async function auditTheorems(
  lease: Lease,
  session: number,
  allowAxioms: readonly string[],
  common: Identity,
  limits: RequestLimits,
): Promise<Verdict[]> {
  const reply = await lease.request('audit', { session, allow_axioms: allowAxioms }, limits);
  if (!reply.ok) return [refuse(common, reply, reply.cost.cpuSeconds, 'the file')];
  const cpu = reply.cost.cpuSeconds / Math.max(1, reply.theorems.length);
  return reply.theorems.map((theorem) =>
    theorem.ok
      ? accept(common, theorem, 'axioms-clean', cpu)
      : refuse(common, theorem, cpu, undefined, theorem.name),
  );
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
