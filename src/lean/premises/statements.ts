import type { Lease } from '../workers/lease.ts';

/** A plain name without other syntax, because an index may come from another machine. */
const plainName = /^[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*)*$/u;

/** Binders and type of each name as `#check` prints them; unknown names are omitted. */
export async function statementsOf(lease: Lease, asked: readonly string[]): Promise<Map<string, string>> {
  const names = asked.filter((name) => plainName.test(name));
  const text = names.map((name) => `#check ${name}`).join('\n');
  const reply = await lease.request('load', { session: lease.rootSession, text, keep_going: true });
  const statements = new Map<string, string>();
  if (!reply.ok) return statements;
  await lease.request('unload', { sessions: [reply.session] });
  for (const { text: said } of reply.messages) {
    const [name = ''] = said.split(/[\s{.]\{|\s/, 1);
    const signature = said.slice(name.length).replace(/^\.\{[^}]*\}/, '');
    statements.set(name.replace(/\.$/, ''), signature.replaceAll(/\s+/g, ' ').trim());
  }
  return statements;
}
