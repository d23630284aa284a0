import type { LeanEnvironment } from '../project/environment.ts';
import type { LeanPool } from '../workers/pool.ts';
import type { NodeSource } from './new-node.ts';

/** What Lean reports about a declaration, and its doc comment. */
export async function readSource(
  pool: LeanPool,
  text: string,
  name: string,
  isTheorem: boolean,
  {
    label,
    environment,
  }: { readonly label?: string | undefined; readonly environment?: LeanEnvironment } = {},
): Promise<NodeSource> {
  const about = {
    name,
    label: label ?? `${isTheorem ? 'lem' : 'def'}:${name}`,
    isTheorem,
    comment: commentAbove(text, name),
  };
  if (!isTheorem) return { ...about, hypotheses: [], target: '' };
  return await pool.use(async (lease) => {
    const probe = `${text}\ntheorem orch_new_node : type_of% @${name} := by set_option tactic.hygienic false in intros; sorry`;
    const body = { session: lease.rootSession, text: probe, keep_going: true, sorries: true };
    const loaded = await lease.request('load', body, { deadlineMs: 60_000 });
    const goal = loaded.ok
      ? loaded.sorries.find(({ declaration }) => declaration === 'orch_new_node')?.goals[0]
      : undefined;
    return { ...about, hypotheses: goal?.hypotheses ?? [], target: goal?.target ?? name };
  }, environment && { environment });
}

/** The doc comment of a declaration. */
function commentAbove(text: string, name: string): string | undefined {
  const word = (name.split('.').at(-1) ?? '').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const found = new RegExp(
    String.raw`/--((?:(?!-/)[\s\S])*)-/\s*(?:@\[[^\]]*\]\s*)?(?:\w+\s+)*(?:theorem|lemma|def|structure|inductive|abbrev|class|instance)\s+(?:[^\s]+\.)?${word}(?![\w'.])`,
  ).exec(text);
  return found?.[1]?.trim() || undefined;
}
