import type { LeanEnvironment } from '../project/environment.ts';
import type { Message } from '../base/protocol.ts';
import type { LeanPool } from '../workers/pool.ts';

const deadlineMs = 60_000;

/** A position for a statement: the text before it, in its environment. Answers here are hints; the gate decides. */
export class Ground {
  readonly preamble: string;
  readonly environment: LeanEnvironment;
  readonly #pool: LeanPool;

  constructor(pool: LeanPool, preamble: string, environment: LeanEnvironment) {
    this.#pool = pool;
    this.preamble = preamble;
    this.environment = environment;
  }

  /** The full name of a theorem with this statement, and its proposition. Undefined if Lean cannot read it. */
  async read(statement: string): Promise<{ readonly name: string; readonly canonical: string } | undefined> {
    return await this.#at(async (lease, session) => {
      const reply = await lease.request('statement', { session, statement }, { deadlineMs });
      return reply.ok ? { name: reply.name, canonical: reply.canonical } : undefined;
    });
  }

  /** Lean's answer about a proof it accepts; undefined otherwise. */
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

  /** Whether one statement follows directly from another. */
  async follows(statement: string, given: string): Promise<boolean> {
    const proof = `by\n  ${given} := by sorry\n  ${directly('given')}`;
    return await this.#at(async (lease, session) => {
      const reply = await lease.request('check', { session, statement, proof }, { deadlineMs });
      // the missing fact is the statement it should follow from
      return !reply.ok && reply.kind === 'sorry';
    }, false);
  }

  /** The names that are already in use here. */
  async known(names: readonly string[]): Promise<ReadonlySet<string>> {
    const text = names.map((name) => `#check @${name}`).join('\n');
    const errors = await this.#at(async (lease, session) => {
      const reply = await lease.request('load', { session, text, keep_going: true }, { deadlineMs });
      if (!reply.ok) return undefined;
      await lease.request('unload', { sessions: [reply.session] });
      return reply.messages.filter(({ severity }) => severity === 'error');
    });
    // if Lean cannot be asked, assume the name is in use
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

/** Direct use of a fact: up to the order of hypotheses and, for an equation or equivalence, reversed. */
export function directly(fact: string): string {
  const ways = [`exact ${fact} ..`, `apply ${fact} <;> assumption`].flatMap((way) => [way, `(symm; ${way})`]);
  return `first | exact ${fact} | (intros; first | ${ways.map((way) => `(${way})`).join(' | ')})`;
}
