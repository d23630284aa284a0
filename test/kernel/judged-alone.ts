import type { Lean } from '../../src/app/lean.ts';
import { secondKernelFolder, settingsFrom } from '../../src/app/settings.ts';
import type { Claim } from '../../src/lean/gate/gate.ts';
import { elaborateFile, stateClaim, stateFile } from '../../src/lean/gate/roles.ts';
import type { Lease } from '../../src/lean/workers/lease.ts';
import { parseNames } from '../../src/lean/base/names.ts';
import { LibraryCache } from '../../src/lean/second-kernel/library-cache.ts';
import { SecondKernel, type SecondQuestion } from '../../src/lean/second-kernel/second-kernel.ts';
import type { Attack } from '../soundness/attack.ts';
import type { Honest, HonestFile } from '../soundness/honest/honest.ts';

const limits = { deadlineMs: 60_000 };

/** Two exports as the gate would hand them to its judge; undefined where elaboration already fails. */
export async function questionOf(
  lean: Lean,
  row: Attack | Honest | HonestFile,
): Promise<SecondQuestion | undefined> {
  if ('file' in row) return await fileQuestion(lean, row.file, row.against);
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

async function fileQuestion(lean: Lean, text: string, against?: string): Promise<SecondQuestion | undefined> {
  const reference =
    against === undefined
      ? undefined
      : await lean.pool.use(async (lease) => await stateFile(lease, against, [], limits));
  if (reference && !reference.ok) return undefined;
  const candidate = await lean.pool.use(async (lease) => await elaborateFile(lease, text, limits));
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
