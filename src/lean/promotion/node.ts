import { readFileSync } from 'node:fs';
import { writeWhole } from '../../io/whole-file.ts';
import { SourceText } from '../base/source-text.ts';
import { readExport } from '../base/exported.ts';
import { applyEdits } from '../blueprint/edits.ts';
import type { LeanSide } from '../blueprint/lean-side.ts';
import { newNode } from '../blueprint/new-node.ts';
import { readSource } from '../blueprint/node-source.ts';
import { blueprintOf } from '../blueprint/read.ts';
import { environmentOfFile } from '../project/environment.ts';
import type { LeanPool } from '../workers/pool.ts';

/**
 * Drafts the lemma's blueprint node, with its dependencies, before the node of the first declaration that uses it. Returns the
 * label, or undefined without a blueprint.
 */
export async function draftNode(
  pool: LeanPool,
  project: string,
  { name, file, after }: { readonly name: string; readonly file: string; readonly after: string },
  users: readonly string[],
): Promise<string | undefined> {
  const blueprint = blueprintOf(project);
  if (!blueprint) return undefined;
  const { text } = new SourceText(after);
  const environment = environmentOfFile(file, after);
  const exported = await pool.use(
    async (lease) => {
      const body = { session: lease.rootSession, text, keep_going: true };
      const loaded = await lease.request('load', body, { deadlineMs: 120_000 });
      if (!loaded.ok) return undefined;
      const reply = await lease.request('export', { session: loaded.session, role: 'candidate' });
      await lease.request('unload', { sessions: [loaded.session] });
      return reply.ok ? reply.export : undefined;
    },
    { environment },
  );
  const names: LeanSide['names'] = new Map(
    [...readExport(exported)].map(([one, declared]) => [
      one,
      { kind: 'declared', file, verdict: undefined, ...declared },
    ]),
  );
  const source = await readSource(pool, text, name, true, { environment });
  const node = newNode(source, blueprint, { names, unread: new Map() });
  const user = blueprint.statements.find(({ declarations }) =>
    declarations.some((one) => users.includes(one)),
  );
  const place = user?.range ?? blueprint.statements.at(-1)?.range;
  if (!place) return undefined;
  const before = readFileSync(place.file, 'utf8');
  const at = user ? before.lastIndexOf('\n', place.start) + 1 : before.length;
  const gap = user ? '\n' : '';
  const lead = user || before.endsWith('\n') ? '' : '\n';
  writeWhole(place.file, applyEdits(before, [{ start: at, end: at, text: `${lead}${node}${gap}` }]));
  return source.label;
}
