import { goalHash } from '../fingerprint.ts';
import type { LeanPool } from '../pool.ts';
import type { RequestLimits } from '../worker.ts';

export type Examined =
  | { readonly ok: true; readonly name: string; readonly goalHash: string }
  | { readonly ok: false; readonly message: string };

/** Whether a lemma can be asked for: Lean must be able to read its statement. Says the statement's identity. */
export async function examineStatement(
  pool: LeanPool,
  preamble: string,
  statement: string,
  limits: RequestLimits = {},
): Promise<Examined> {
  return await pool.use(
    async (lease): Promise<Examined> => {
      const session = await lease.session(preamble, limits);
      if (typeof session !== 'number')
        return { ok: false, message: `the preamble: ${session.ok ? 'not loaded' : session.message}` };
      const reply = await lease.request('statement', { session, statement }, limits);
      if (!reply.ok) return { ok: false, message: `the statement: ${reply.message}` };
      return { ok: true, name: reply.name, goalHash: goalHash(reply.canonical) };
    },
    { preamble },
  );
}
