import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openLean, settingsFrom, type Lean } from '../../src/app.ts';
import type { Verdict } from '../../src/core/verdict.ts';
import type { Claim } from '../../src/lean/gate/gate.ts';
import type { FailureKind } from '../../src/lean/protocol.ts';
import type { ImageName } from '../../src/lean/toolchain/embedded/embedded.ts';
import type { Attack, ClaimAttack, Export, ExportAttack, FileAttack } from './attack.ts';
import { exportAttacks } from './attacks/exports.ts';
import { fileAttacks } from './attacks/files.ts';
import { preambleAttacks } from './attacks/preambles.ts';
import { proofAttacks } from './attacks/proofs.ts';
import { honest, type Honest } from './honest.ts';

/** The entries of the product that exist: each attack goes through those that can carry it. */
export type Entry =
  | 'Gate.check'
  | 'Gate.checkFile'
  | 'Gate.checkFile, against'
  | 'Gate.judge'
  | 'hostile elaborator'
  | 'orch check';

export interface Outcome {
  readonly attack: Attack;
  readonly entry: Entry;
  readonly verdict: Verdict;
}

export interface HonestOutcome {
  readonly honest: Honest;
  readonly verdict: Verdict;
}

/** How an attack gets in. */
export function entriesOf(attack: Attack): Entry[] {
  if ('forge' in attack) return ['Gate.judge'];
  const command: Entry[] = attack.commandLine ? ['orch check'] : [];
  if ('file' in attack)
    return [attack.against === undefined ? 'Gate.checkFile' : 'Gate.checkFile, against', ...command];
  const blind: Entry[] = canExportBlindly(attack) ? ['hostile elaborator'] : [];
  return ['Gate.check', ...blind, ...command];
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
];

const deadlineMs = 60_000;

export async function openGate(image: ImageName = 'init'): Promise<Lean> {
  return await openLean({ ...settingsFrom(), lean: 'embedded' }, { image, slots: 1 });
}

/** Two gates at a time: each keeps about one core busy. */
const lanes = 2;

/** Every attack through every entry. */
export async function runAttacks(
  chosen: readonly Attack[] = attacks,
  onOutcome?: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const image of ['init', 'std'] as const) {
    const rows = chosen.filter((row) => (row.image ?? 'init') === image);
    await inLanes(image, rows, async (lean, attack) => {
      const met = await attackThrough(lean, attack);
      outcomes.push(...met);
      met.forEach((outcome) => onOutcome?.(outcome));
    });
  }
  return outcomes;
}

export async function runHonest(): Promise<HonestOutcome[]> {
  const outcomes: HonestOutcome[] = [];
  await inLanes('init', honest, async (lean, row) => {
    outcomes.push({ honest: row, verdict: await lean.gate.check(row, { deadlineMs }) });
  });
  return outcomes;
}

async function inLanes<Row>(
  image: ImageName,
  rows: readonly Row[],
  run: (lean: Lean, row: Row) => Promise<void>,
): Promise<void> {
  const waiting = rows.values();
  const lane = async (): Promise<void> => {
    await using lean = await openGate(image);
    for (const row of waiting) await run(lean, row);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, rows.length) }, lane));
}

async function attackThrough(lean: Lean, attack: Attack): Promise<Outcome[]> {
  if ('forge' in attack) return [{ attack, entry: 'Gate.judge', verdict: await judgeForged(lean, attack) }];
  if ('file' in attack) return await attackByFile(lean, attack);
  return await attackByClaim(lean, attack);
}

async function attackByClaim({ pool, gate }: Lean, attack: ClaimAttack): Promise<Outcome[]> {
  const limits = { deadlineMs: attack.deadlineMs ?? deadlineMs };
  const outcomes: Outcome[] = [{ attack, entry: 'Gate.check', verdict: await gate.check(attack, limits) }];
  if (canExportBlindly(attack))
    outcomes.push({
      attack,
      entry: 'hostile elaborator',
      verdict: await gate.judge(attack, await exportBlindly(pool, attack, limits), limits),
    });
  if (attack.commandLine) outcomes.push(await attackByCommandLine(attack));
  return outcomes;
}

/** An elaborator that exports whatever came out, errors and `sorry`s included, and asks nobody. */
async function exportBlindly(
  pool: Lean['pool'],
  { statement, proof }: ClaimAttack,
  limits: { deadlineMs: number },
): Promise<unknown> {
  return await pool.use(async (lease) => {
    const text = `${statement} := ${proof}`;
    const loaded = await lease.request(
      'load',
      { session: lease.rootSession, text, keep_going: true },
      limits,
    );
    if (!loaded.ok) throw new Error(`${text}: ${loaded.message}`);
    const reply = await lease.request('export', { session: loaded.session, role: 'candidate' }, limits);
    if (!reply.ok) throw new Error(`${text}: ${reply.message}`);
    return reply.export;
  });
}

async function attackByFile({ gate }: Lean, attack: FileAttack): Promise<Outcome[]> {
  const { file, against } = attack;
  const claim = { text: file, ...(against !== undefined && { against }) };
  const verdicts = await gate.checkFile(claim, { deadlineMs: attack.deadlineMs ?? deadlineMs });
  const entry = against === undefined ? 'Gate.checkFile' : 'Gate.checkFile, against';
  const outcomes: Outcome[] = [{ attack, entry, verdict: worst(verdicts) }];
  if (attack.commandLine) outcomes.push(await attackByCommandLine(attack));
  return outcomes;
}

/** The verdict that matters: that on `t`, or on the whole file where there is none. */
function worst(verdicts: readonly Verdict[]): Verdict {
  const found =
    verdicts.find(({ name }) => name === 't') ?? verdicts.find(({ verdict }) => verdict !== 'accepted');
  if (found === undefined) throw new Error(`no verdict on t: ${JSON.stringify(verdicts)}`);
  return found;
}

export async function judgeForged(
  { pool, gate }: Pick<Lean, 'pool' | 'gate'>,
  attack: ExportAttack,
): Promise<Verdict> {
  const { preamble, statement, allowAxioms } = attack;
  const exported = attack.forge(structuredClone(await exportOf(pool, attack.from)));
  const claim = {
    statement,
    ...(preamble !== undefined && { preamble }),
    ...(allowAxioms && { allowAxioms }),
  };
  return await gate.judge(claim, exported, { deadlineMs });
}

/** What an honest elaborator exports. */
export async function exportOf(pool: Lean['pool'], claim: Omit<Claim, 'allowAxioms'>): Promise<Export> {
  return await pool.use(async (lease) => {
    const session = await lease.session(claim.preamble ?? '', { deadlineMs });
    if (typeof session !== 'number') throw new Error('the preamble does not load');
    const { statement, proof } = claim;
    const reply = await lease.request('check', { session, statement, proof, export: true }, { deadlineMs });
    if (!reply.ok) throw new Error(`${statement}: ${reply.message}`);
    return reply.export as Export;
  });
}

const cli = path.join(import.meta.dirname, '../../src/cli.ts');

async function attackByCommandLine(attack: ClaimAttack | FileAttack): Promise<Outcome> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'orch-soundness-'));
  try {
    const args = await commandLine(attack, folder);
    const verdicts = await orchCheck(args);
    return { attack, entry: 'orch check', verdict: worst(verdicts) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function commandLine(attack: ClaimAttack | FileAttack, folder: string): Promise<string[]> {
  const write = async (name: string, text: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, text);
    return file;
  };
  if ('file' in attack) {
    const against =
      attack.against === undefined ? [] : ['--against', await write('ref.lean', attack.against)];
    return [await write('file.lean', attack.file), ...against];
  }
  const preamble =
    attack.preamble === undefined ? [] : ['--preamble', await write('preamble.lean', attack.preamble)];
  return ['--stmt', attack.statement, '--proof', attack.proof, ...preamble];
}

/** The verdicts of the command; it must also exit as a refusal does. */
async function orchCheck(args: readonly string[]): Promise<Verdict[]> {
  const run = promisify(execFile)(process.execPath, [cli, 'check', '--json', ...args], {
    env: { ...process.env, ORCH_LEAN: 'embedded' },
  });
  const { code, stdout } = await run.then(
    (done) => ({ code: 0, ...done }),
    (error: { code: number; stdout: string }) => error,
  );
  if (code !== 1 && code !== 3) throw new Error(`orch check exits with ${code} for an attack: ${stdout}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Verdict);
}
