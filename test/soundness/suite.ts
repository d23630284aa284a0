import type { FailureKind } from '../../src/lean/base/protocol.ts';
import type { Attack, ClaimAttack } from './attack.ts';
import { clashingNames, environmentAttacks } from './attacks/environments.ts';
import { accountingAttacks, literalAttacks } from './attacks/accounting.ts';
import { exportHelperAttacks } from './attacks/export-helpers.ts';
import { exportKernelAttacks } from './attacks/export-kernel.ts';
import { exportAttacks } from './attacks/exports.ts';
import { fileAttacks } from './attacks/files.ts';
import { helperAttacks } from './attacks/helpers.ts';
import { hiddenAttacks } from './attacks/hidden.ts';
import { kernelBugAttacks } from './attacks/kernel-bugs.ts';
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
function entriesOf(attack: Attack): Entry[] {
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

/** Whether the text can leave an export behind. With a preamble it would include the preamble. */
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
  ...environmentAttacks,
  clashingNames,
  ...referenceAttacks,
  ...hiddenAttacks,
  ...accountingAttacks,
  ...literalAttacks,
  ...neighbourAttacks,
  ...nameAttacks,
  ...kernelBugAttacks,
  ...textAttacks,
];

/** An attack, and how it gets in. */
export interface Way {
  readonly attack: Attack;
  readonly entry: Entry;
}

export const ways: readonly Way[] = attacks.flatMap((attack) =>
  entriesOf(attack).map((entry) => ({ attack, entry })),
);

/** Entries that a warm pool answers; every other one starts a process. */
const cheap: ReadonlySet<Entry> = new Set(['Gate.check', 'Gate.judge']);

/** For the first tier: of every sort one disguise, and one more through each cheap entry; every entry at least once. */
export function sliceOf(all: readonly Way[]): Way[] {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key).has(key);
  return all.filter(({ attack, entry }) => {
    const isFirst = [isNew(attack.sort), isNew(entry)].includes(true);
    return cheap.has(entry) ? isNew(`${attack.sort} ${entry}`) || isFirst : isFirst;
  });
}
