import * as z from 'zod';
import type { LeanEnvironment } from '../project/environment.ts';
import { parseNames } from '../base/names.ts';
import { forFile, type LeanPool } from '../workers/pool.ts';
import { runHiddenCode } from '../base/options.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import type { Account } from './account.ts';
import { stateFile } from './roles.ts';
import type { Stage } from './stages.ts';

interface Parts {
  readonly workers: LeanPool;
  readonly judges: LeanPool;
  readonly stages: readonly Stage[];
  readonly claim: {
    readonly text: string;
    readonly environment?: LeanEnvironment | undefined;
    readonly allowAxioms?: readonly string[];
  };
  /** The file's export from normal elaboration. */
  readonly candidate: unknown;
  readonly limits: RequestLimits;
}

export interface StatedByItself {
  /** The theorems that the file proves as it states them. */
  readonly proved: ReadonlySet<string>;
  /** Its declarations that are not listed. */
  readonly hidden: readonly string[];
  /** The declarations written in its text, according to a process that ran none of its code. */
  readonly account: Account;
  readonly cpuSeconds: number;
}

/**
 * A file as its own reference: elaborated once more without the proofs of its theorems, in a process that imports the same modules and
 * refuses code of the file's own. Code in proofs cannot change this list of declarations. Undefined if more than proofs would have to be left out.
 */
export async function statedByItself(parts: Parts): Promise<StatedByItself | undefined> {
  const { workers, judges, stages, claim, candidate, limits } = parts;
  const { text, environment, allowAxioms = [] } = claim;
  // with such options the text would run code here too
  if (environment && runHiddenCode(environment.options)) return undefined;
  const answer = await workers.use(
    async (lease) => await stateFile(lease, text, { allowAxioms }, limits, true),
    forFile(environment),
  );
  if (!answer.ok) return undefined;
  const stated = answer.value;
  const body = { reference: stated.data, candidate, allow_axioms: parseNames(allowAxioms), stages };
  const reply = await judges.use(async (lease) => await lease.request('judge-file', body, limits));
  const shown = Export.safeParse(candidate).data;
  const reference = Export.safeParse(JSON.parse(stated.data)).data;
  if (!reply.ok || !shown || !reference) return undefined;
  const isShown = new Set(shown.declarations.map(({ name }) => nameIn(shown, name)));
  return {
    proved: new Set([
      ...reply.theorems.flatMap(({ ok, name }) => (ok ? [name] : [])),
      ...reply.others.flatMap((one) => (one.ok && one.stated ? [one.name] : [])),
    ]),
    hidden: listedIn(reference)
      .filter((name) => !isShown.has(name))
      .map((name) => name.split(separator).join('.')),
    account: stated.account,
    cpuSeconds: stated.cpuSeconds + reply.cost.cpuSeconds,
  };
}

/** A name as written, without `private` and `_root_` prefixes. */
export function plainName(name: string): string {
  return name
    .replace(/^_private\..*?\.0\./, '')
    .replace(/^.*_root_\./, '')
    .replaceAll(/[«»]/g, '');
}

/** The parts of an export that say what it declares (docs/PROTOCOL.md). */
const Export = z.object({
  names: z.array(z.union([z.null(), z.tuple([z.number(), z.union([z.string(), z.number()])])])),
  declarations: z.array(z.object({ name: z.number().optional() })),
  statements: z.array(z.object({ name: z.number() })).default([]),
  definitions: z.array(z.number()).default([]),
});

/** Separates the parts of a name: `«a.b»` is not `a.b`. */
const separator = '\u0000';

function nameIn(exported: Pick<z.infer<typeof Export>, 'names'>, at = 0): string {
  const row = exported.names[at];
  if (!row) return '';
  const [prefix, last] = row;
  return [nameIn(exported, prefix), String(last)].filter(Boolean).join(separator);
}

/** The declarations that a reference lists: its theorems, and other declarations that can contain a proof. */
function listedIn(reference: z.infer<typeof Export>): string[] {
  const written = new Set(reference.declarations.map(({ name }) => name));
  const definitions = reference.definitions.filter((name) => written.has(name));
  return [...reference.statements.map(({ name }) => name), ...definitions].map((name) =>
    nameIn(reference, name),
  );
}
