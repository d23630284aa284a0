import type { FailureKind } from '../../src/lean/protocol.ts';
import type { Attack, ClaimAttack, Sort } from './attack.ts';
import { exportHelperAttacks } from './attacks/export-helpers.ts';
import { exportKernelAttacks } from './attacks/export-kernel.ts';
import { exportAttacks } from './attacks/exports.ts';
import { fileAttacks } from './attacks/files.ts';
import { helperAttacks } from './attacks/helpers.ts';
import { hiddenAttacks } from './attacks/hidden.ts';
import { nameAttacks } from './attacks/names.ts';
import { neighbourAttacks } from './attacks/neighbours.ts';
import { preambleAttacks } from './attacks/preambles.ts';
import { proofAttacks } from './attacks/proofs.ts';
import { referenceAttacks } from './attacks/references.ts';
import { textAttacks } from './attacks/texts.ts';

/** The entries of the product: each attack goes through those that can carry it. */
export type Entry =
  | 'Gate.check'
  | 'Gate.checkFile'
  | 'Gate.checkFile, against'
  | 'Gate.judge'
  | 'hostile elaborator'
  | 'orch check'
  | 'market'
  | 'ledger recall';

/** How an attack gets in. */
export function entriesOf(attack: Attack): Entry[] {
  if ('candidate' in attack) return ['Gate.judge'];
  const command: Entry[] = attack.commandLine ? ['orch check'] : [];
  if ('file' in attack)
    return [attack.against === undefined ? 'Gate.checkFile' : 'Gate.checkFile, against', ...command];
  const blind: Entry[] = canExportBlindly(attack) ? ['hostile elaborator'] : [];
  const elsewhere: Entry[] = attack.everywhere ? ['market', 'ledger recall'] : [];
  return ['Gate.check', ...blind, ...command, ...elsewhere];
}

/** The kinds of verdict that an attack may get at an entry. */
export function expectedKinds(attack: Attack, entry: Entry): FailureKind | readonly FailureKind[] {
  const judged = 'proof' in attack ? attack.judged : undefined;
  return (entry === 'hostile elaborator' ? judged : undefined) ?? attack.kind;
}

/** Can the text leave an export behind at all? With a preamble it would bring the preamble along. */
function canExportBlindly({ preamble, judged }: ClaimAttack): boolean {
  return preamble === undefined && judged !== null;
}

export const attacks: readonly Attack[] = [
  ...proofAttacks,
  ...preambleAttacks,
  ...fileAttacks,
  ...exportAttacks,
  ...exportKernelAttacks,
  ...exportHelperAttacks,
  ...helperAttacks,
  ...referenceAttacks,
  ...hiddenAttacks,
  ...neighbourAttacks,
  ...nameAttacks,
  ...textAttacks,
];

/** A slice of every sort, for the first tier: its first disguises, and every fourth of the others. */
export function sliceOf(all: readonly Attack[]): Attack[] {
  const seen = new Map<Sort, number>();
  return all.filter(({ sort }) => {
    const index = seen.get(sort) ?? 0;
    seen.set(sort, index + 1);
    return index < 2 || index % 4 === 0;
  });
}
