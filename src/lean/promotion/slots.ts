import path from 'node:path';
import { readTextFile } from '../../io/text-file.ts';
import { SourceText } from '../base/source-text.ts';
import type { Position } from '../base/protocol.ts';
import { environmentOfFile } from '../project/environment.ts';
import { closureOf, graphOf } from '../project/graph.ts';
import { findProject } from '../project/project.ts';
import type { LeanPool } from '../workers/pool.ts';
import { Ground } from './ground.ts';

/** A place for a theorem in a file. */
export interface LemmaSlot {
  readonly file: string;
  readonly source: SourceText;
  readonly at: Position;
  /** Before the declaration that begins there, else after the one that ends there. */
  readonly isBefore: boolean;
  readonly ground: Ground;
  /** Existing errors of the file. */
  readonly errors: number;
}

/** A `sorry` whose proof uses the theorem. */
export interface Use {
  readonly file: string;
  readonly at: Position;
}

/**
 * Positions for a theorem that are visible to all its uses, files with the fewest imports first: after the last declaration of
 * a file that all users import, or before the first user in its own file.
 */
export async function* slotsFor(pool: LeanPool, uses: readonly Use[]): AsyncGenerator<LemmaSlot> {
  const [first] = uses;
  if (!first) return;
  const project = findProject(first.file);
  const files = [...new Set(uses.map(({ file }) => path.resolve(file)))];
  const modules = files.map((file) => project.moduleAt(file));
  const graph = graphOf(project, modules);
  const below = modules.map(({ name }) => closureOf(graph, [name]));
  const shared = graph.order.filter(
    ({ name, isLent }) => !isLent && below.every((closure) => closure.has(name)),
  );
  for (const { file } of shared) {
    const slot = await slotIn(pool, file, uses);
    if (slot) yield slot;
  }
}

async function slotIn(pool: LeanPool, file: string, uses: readonly Use[]): Promise<LemmaSlot | undefined> {
  const source = new SourceText(readTextFile(file));
  const environment = environmentOfFile(file, source.raw);
  const loaded = await pool.use(
    async (lease) => {
      const body = { session: lease.rootSession, text: source.text, keep_going: true, account: true };
      const reply = await lease.request('load', body, { deadlineMs: 120_000 });
      if (reply.ok) await lease.request('unload', { sessions: [reply.session] });
      return reply;
    },
    { environment },
  );
  if (!loaded.ok) return undefined;
  const own = uses.filter((use) => path.resolve(use.file) === file);
  const isUser = ({ start, end }: { readonly start: Position; readonly end: Position }): boolean =>
    own.some(({ at }) => !isAfter(start, at) && isAfter(end, at));
  const written = loaded.written.toSorted((one, two) => (isAfter(one.start, two.start) ? 1 : -1));
  const user = own.length === 0 ? undefined : written.find(isUser);
  if (own.length > 0 && !user) return undefined;
  const at = user?.start ?? written.at(-1)?.end;
  if (!at) return undefined;
  const ground = new Ground(pool, source.between([1, 0], at), environment);
  return { file, source, at, isBefore: user !== undefined, ground, errors: loaded.errors };
}

function isAfter(one: Position, other: Position): boolean {
  return one[0] === other[0] ? one[1] > other[1] : one[0] > other[0];
}
