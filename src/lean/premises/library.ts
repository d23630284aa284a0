import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Premise } from '../../store/premises/premise.ts';
import type { Shelf } from '../../store/ledger/blob-store.ts';
import { openPremises, premisesVersion } from '../../store/premises/premises.ts';
import { openShards, type ProjectPremises } from '../../store/premises/shards.ts';
import { sha256 } from '../../core/sha256.ts';
import type { Lease } from '../workers/lease.ts';
import type { Constant } from '../base/protocol.ts';
import { describeToolchain, type Toolchain } from '../toolchain/toolchain.ts';
import { isGenerated } from './facts.ts';
import type { Library } from './retrieve.ts';
import { sharedPremises } from './shared.ts';
import { isTacticCode } from './tactic-code.ts';
import { wholeLibrary, type LibraryView } from './whole-library.ts';

/**
 * Number of constants per answer; for each answer, Lean scans all names once. The wall-clock limit allows for a
 * busy machine.
 */
const pageSize = 10_000;
const deadlineMs = 600_000;

/**
 * The index of the declarations that an environment imports, one file per environment; built on first use (some seconds) and
 * then reused. It does not contain declarations of a goal's preamble, which the workbench provides.
 */
export async function openLibrary(
  folder: string,
  toolchain: Toolchain,
  lease: Lease,
  shelf?: Shelf,
): Promise<Library> {
  const environment = sha256(JSON.stringify([describeToolchain(toolchain), toolchain.imports])).slice(0, 16);
  const name = `premises-${premisesVersion}-${environment}`;
  // a worker that has imported a project or part of the library lacks the rest
  const all = (): AsyncIterable<readonly Premise[]> =>
    lease.closure === '' ? constantsOf(lease) : constantsOfAll(toolchain);
  const read = (): AsyncIterable<readonly Premise[]> => sharedPremises(shelf, name, all);
  const index = await openPremises(path.join(folder, `${name}.db`), read);
  return { name, folder, index };
}

async function* constantsOfAll(toolchain: Toolchain): AsyncGenerator<Premise[]> {
  using worker = await wholeLibrary(toolchain);
  yield* constantsOf(worker);
}

/** The declarations of a project's modules, per module; undefined if only Lean's library is used. */
export async function openProject(folder: string, lease: Lease): Promise<ProjectPremises | undefined> {
  if (lease.closure === '') return undefined;
  const pages = await Array.fromAsync(constantsOf(lease, true));
  return await openShards(folder, pages.flat());
}

/** All constants, or those of a project's modules alone. */
async function* constantsOf(lease: LibraryView, own = false): AsyncGenerator<Premise[]> {
  const session = lease.rootSession;
  for (let offset = 0, total = 1; offset < total; offset += pageSize) {
    const asked = { session, own, offset, limit: pageSize };
    const reply = await lease.request('constants', asked, { deadlineMs });
    if (!reply.ok)
      throw new UserError(
        'no-premises',
        `the index of premises could not be built: ${reply.message}`,
        'Run it again; orch doctor checks the set-up.',
      );
    ({ total } = reply);
    const premises = reply.constants.filter((constant) => isPremise(constant));
    // keep duplicates in a project, because one of two may depend on a `sorry`
    yield own ? premises.map((premise) => ({ ...premise, shape: undefined })) : premises;
  }
}

/**
 * Theorems and definitions that users can name; no generated or private ones, and no tactic code.
 */
function isPremise(constant: Constant): boolean {
  const { name, kind, symbols } = constant;
  const isOfUse = kind === 'theorem' || kind === 'axiom' || kind === 'definition';
  if (!isOfUse || symbols.length === 0 || isGenerated(name) || /(?:^|\.)_|«/.test(name)) return false;
  return !isTacticCode(constant);
}
