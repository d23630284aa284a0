import type { LeanEnvironment } from '../project/environment.ts';
import type { Message } from '../base/protocol.ts';
import type { LeanPool } from '../workers/pool.ts';

const deadlineMs = 60_000;

/** A place for a statement: the text before it, in its environment. What Lean answers here is a hint; the gate decides. */
export class Ground {
  readonly preamble: string;
  readonly environment: LeanEnvironment;
  readonly #pool: LeanPool;

  constructor(pool: LeanPool, preamble: string, environment: LeanEnvironment) {
    this.#pool = pool;
    this.preamble = preamble;
    this.environment = environment;
  }

  /** The full name of a theorem with this statement, and the proposition. Undefined where Lean cannot read it. */
  async read(statement: string): Promise<{ readonly name: string; readonly canonical: string } | undefined> {
    return await this.#at(async (lease, session) => {
      const reply = await lease.request('statement', { session, statement }, { deadlineMs });
      return reply.ok ? { name: reply.name, canonical: reply.canonical } : undefined;
    });
  }

  /** What Lean says about a proof that it takes, undefined about any other. */
  async prove(
    statement: string,
    proof: string,
    heartbeats?: number,
  ): Promise<readonly Message[] | undefined> {
    return await this.#at(async (lease, session) => {
      const body = { session, statement, proof, ...(heartbeats !== undefined && { heartbeats }) };
      const reply = await lease.request('check', body, { deadlineMs });
      return reply.ok ? reply.messages : undefined;
    });
  }

  async holds(statement: string, proof: string): Promise<boolean> {
    return (await this.prove(statement, proof)) !== undefined;
  }

  /** Whether one statement follows from another without further thought. */
  async follows(statement: string, given: string): Promise<boolean> {
    const proof = `by\n  ${given} := by sorry\n  ${directly('given')}`;
    return await this.#at(async (lease, session) => {
      const reply = await lease.request('check', { session, statement, proof }, { deadlineMs });
      // what is missing in it is what it follows from
      return !reply.ok && reply.kind === 'sorry';
    }, false);
  }

  /** Those of the names that mean something here. */
  async known(names: readonly string[]): Promise<ReadonlySet<string>> {
    const text = names.map((name) => `#check @${name}`).join('\n');
    const errors = await this.#at(async (lease, session) => {
      const reply = await lease.request('load', { session, text, keep_going: true }, { deadlineMs });
      if (!reply.ok) return undefined;
      await lease.request('unload', { sessions: [reply.session] });
      return reply.messages.filter(({ severity }) => severity === 'error');
    });
    // what cannot be asked about is taken for known: the name stays unused
    if (errors === undefined) return new Set(names);
    const unknown = new Set(errors.map(({ start }) => start[0]));
    return new Set(names.filter((_, index) => !unknown.has(index + 1)));
  }

  async #at<Value>(
    ask: (lease: Parameters<Parameters<LeanPool['use']>[0]>[0], session: number) => Promise<Value>,
    otherwise?: Value,
  ): Promise<Value> {
    const { preamble, environment } = this;
    return await this.#pool.use(
      async (lease) => {
        const loaded = await lease.session(preamble, { deadlineMs });
        return loaded.ok ? await ask(lease, loaded.session) : (otherwise as Value);
      },
      { preamble, environment },
    );
  }
}

/** A fact used as it is: up to the order of hypotheses, and turned round where it is an equation or an equivalence. */
export function directly(fact: string): string {
  const ways = [`exact ${fact} ..`, `apply ${fact} <;> assumption`].flatMap((way) => [way, `(symm; ${way})`]);
  return `first | exact ${fact} | (intros; first | ${ways.map((way) => `(${way})`).join(' | ')})`;
}
