import type { Lean } from '../../src/app/lean.ts';
import { secondKernelFolder, settingsFrom } from '../../src/app/settings.ts';
import type { Claim } from '../../src/lean/gate/gate.ts';
import { elaborateFile, stateClaim, stateFile } from '../../src/lean/gate/roles.ts';
import type { Lease } from '../../src/lean/workers/lease.ts';
import { parseNames } from '../../src/lean/base/names.ts';
import { LibraryCache } from '../../src/lean/second-kernel/library-cache.ts';
import { SecondKernel, type SecondQuestion } from '../../src/lean/second-kernel/second-kernel.ts';
import { environmentOfFile, type LeanEnvironment } from '../../src/lean/project/environment.ts';
import { forFile } from '../../src/lean/workers/pool.ts';
import type { Attack } from '../soundness/attack.ts';
import { inFolders, type FileInFolder } from '../soundness/run.ts';
import type { Honest, HonestFile } from '../soundness/honest/honest.ts';

const limits = { deadlineMs: 60_000 };

/** Two exports as the gate would hand them to its judge; undefined where elaboration already fails. */
export async function questionOf(
  lean: Lean,
  row: Attack | Honest | HonestFile,
): Promise<SecondQuestion | undefined> {
  if ('file' in row) return await fileQuestion(lean, row);
  const allowAxioms = row.allowAxioms ?? [];
  return await lean.pool.use(
    async (lease) => {
      const stated = await stateClaim(lease, row, limits);
      if (!stated.ok) return undefined;
      const candidate = 'candidate' in row ? row.candidate : await exportBlindly(lease, row);
      if (candidate === undefined) return undefined;
      return {
        kind: 'claim',
        statement: stated.value.data.data,
        candidate,
        allowAxioms: parseNames(allowAxioms),
      };
    },
    { preamble: row.preamble ?? '' },
  );
}

/** The elaborator's output, including errors and `sorry`s; only the second kernel judges it. */
async function exportBlindly(lease: Lease, { preamble = '', statement, proof }: Claim): Promise<unknown> {
  const text = `${preamble}\n${statement} := ${proof}`;
  const loaded = await lease.request('load', { session: lease.rootSession, text, keep_going: true }, limits);
  if (!loaded.ok) return undefined;
  const reply = await lease.request('export', { session: loaded.session, role: 'candidate' }, limits);
  await lease.request('unload', { sessions: [loaded.session] });
  return reply.ok ? reply.export : undefined;
}

/** Each of the two in its own folder, if it has one. */
async function fileQuestion(lean: Lean, row: FileInFolder): Promise<SecondQuestion | undefined> {
  const { file: text, against } = row;
  if (row.beside === undefined) return await exportBoth(lean, { text }, against && { text: against });
  return await inFolders(row, async (file, reference) => {
    return await exportBoth(lean, readAt(file, text), reference && against && readAt(reference, against));
  });
}

interface Read {
  readonly text: string;
  readonly environment?: LeanEnvironment;
}

const readAt = (file: string, text: string): Read => ({ text, environment: environmentOfFile(file, text) });

async function exportBoth(
  { pool }: Lean,
  file: Read,
  against: Read | '' | undefined,
): Promise<SecondQuestion | undefined> {
  const reference = against
    ? await pool.use(
        async (lease) => await stateFile(lease, against.text, {}, limits),
        forFile(against.environment),
      )
    : undefined;
  if (reference && !reference.ok) return undefined;
  const candidate = await pool.use(
    async (lease) => await elaborateFile(lease, file.text, limits),
    forFile(file.environment),
  );
  if (!candidate.ok) return undefined;
  return {
    kind: 'file',
    statement: reference?.value.data,
    candidate: candidate.value.data,
    allowAxioms: [],
  };
}

/** The verdict of the second kernel alone. */
export function kernelAlone(lean: Lean): SecondKernel {
  return new SecondKernel(new LibraryCache(lean.pool, secondKernelFolder(settingsFrom())));
}
