import { failed, success, type Result } from '../../core/result.ts';
import path from 'node:path';
import { assurances } from '../../shared/assurance.ts';
import type { Assurance } from '../../shared/assurance.ts';
import type { Verdict } from '../gate/verdict.ts';
import { environmentOfFile, type LeanEnvironment } from '../project/environment.ts';
import type { Gate } from '../gate/gate.ts';
import type { Lease } from '../workers/lease.ts';
import type { LeanPool } from '../workers/pool.ts';
import { filesBelow } from '../project/order.ts';
import { judgeMs } from '../goals/limits.ts';
import type { Failure } from '../base/protocol.ts';
import { readExport, type ExportedDeclaration } from '../base/exported.ts';

/** A Lean file now, and its earlier version that statements are taken from. */
export interface LeanFile {
  readonly file: string;
  readonly text: string;
  readonly against?: string;
  /** Environment of the earlier text, at its path then. */
  readonly againstIn?: LeanEnvironment;
}

/** Lean's information about a name that a blueprint mentions. */
export type LeanName =
  | { readonly kind: 'missing' }
  | { readonly kind: 'library' }
  | ({
      readonly kind: 'declared';
      readonly file: string;
      /** The gate's verdict; undefined for anything but theorems. */
      readonly verdict: Verdict | undefined;
    } & ExportedDeclaration);

/** Information from the Lean files about a blueprint's names. */
export interface LeanSide {
  readonly names: ReadonlyMap<string, LeanName>;
  /** Files that Lean could not read, and why; their content is unknown. */
  readonly unread: ReadonlyMap<string, string>;
}

/** Asks Lean about names: each file is loaded once, and each of its theorems goes through the gate. */
export async function readLeanSide(
  { pool, gate }: { readonly pool: LeanPool; readonly gate: Gate },
  files: readonly LeanFile[],
  names: readonly string[],
): Promise<LeanSide> {
  const found = new Map<string, LeanName>();
  const unread = new Map<string, string>();
  for (const file of importedFirst(files)) {
    const environment = environmentOfFile(file.file, file.text);
    const loaded = await pool.use(async (lease) => await declarationsOf(lease, file.text), { environment });
    if (!loaded.ok) {
      unread.set(file.file, `${loaded.error.kind}: ${loaded.error.message}`);
      continue;
    }
    // an export also holds what the theorems reach in imported files, which were handled before
    const own = new Map([...loaded.value].filter(([name]) => !found.has(name)));
    const judge = async (): Promise<Verdict[]> =>
      await gate.checkFile({ ...file, environment }, { deadlineMs: judgeMs });
    let verdicts = names.some((name) => own.get(name)?.isTheorem) ? await judge() : [];
    // a long-used worker may fail where a fresh one does not
    if (undecidedWhole(verdicts)) verdicts = await judge();
    const whole = undecidedWhole(verdicts);
    for (const [name, declaration] of own)
      found.set(name, {
        kind: 'declared',
        file: file.file,
        verdict: verdicts.find((verdict) => verdict.name === name && verdict.kind !== 'defined') ?? whole,
        ...declaration,
      });
  }
  const others = names.filter((name) => !found.has(name));
  const known =
    others.length === 0 ? new Set<string>() : await pool.use(async (lease) => await inLibrary(lease, others));
  for (const name of others) found.set(name, { kind: known.has(name) ? 'library' : 'missing' });
  return { names: found, unread };
}

/** The files in import order. */
function importedFirst(files: readonly LeanFile[]): LeanFile[] {
  const texts = new Map(files.map(({ file, text }) => [path.resolve(file), text]));
  const below = filesBelow(
    files.map(({ file }) => file),
    texts,
  );
  const depth = ({ file }: LeanFile): number => below.get(file)?.size ?? 0;
  return files.toSorted((a, b) => depth(a) - depth(b));
}

/** A file that could not be judged completely reports that once for all its theorems. */
function undecidedWhole(verdicts: readonly Verdict[]): Verdict | undefined {
  return verdicts.find(({ name, verdict }) => name === undefined && verdict === 'unknown');
}

/** Whether it is proved at this level or better. Non-theorems need no proof. Undefined if unknown. */
export function isProved(name: LeanName, level: Assurance): boolean | undefined {
  if (name.kind !== 'declared') return name.kind === 'library';
  if (!name.isTheorem) return true;
  const { verdict } = name;
  if (!verdict || verdict.verdict === 'unknown') return undefined;
  return verdict.assurance !== null && assurances.indexOf(verdict.assurance) >= assurances.indexOf(level);
}

async function declarationsOf(
  lease: Lease,
  text: string,
): Promise<Result<ReadonlyMap<string, ExportedDeclaration>, Failure>> {
  const body = { session: lease.rootSession, text, keep_going: true };
  const loaded = await lease.request('load', body, { deadlineMs: judgeMs });
  if (!loaded.ok) return failed(loaded);
  const exported = await lease.request('export', { session: loaded.session, role: 'candidate' });
  return exported.ok ? success(readExport(exported.export)) : failed(exported);
}

/** Which of the names exist in the imported library. */
async function inLibrary(lease: Lease, names: readonly string[]): Promise<ReadonlySet<string>> {
  const safe = names.filter((name) => /^[\p{L}_][\p{L}\p{N}\p{No}_'!?.«»]*$/u.test(name));
  const text = safe.map((name) => `#check @${name}`).join('\n');
  const reply = await lease.request('load', { session: lease.rootSession, text, keep_going: true });
  if (!reply.ok) return new Set();
  const wrong = new Set(
    reply.messages.filter(({ severity }) => severity === 'error').map(({ start }) => start[0]),
  );
  return new Set(safe.filter((_, index) => !wrong.has(index + 1)));
}
