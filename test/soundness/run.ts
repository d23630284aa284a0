import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openLean, type Lean } from '../../src/app/lean.ts';
import { settingsFrom } from '../../src/app/settings.ts';
import type { Verdict } from '../../src/lean/gate/verdict.ts';
import { environmentOfFile } from '../../src/lean/project/environment.ts';
import type { Claim, Gate } from '../../src/lean/gate/gate.ts';
import type { ImageName } from '../../src/lean/toolchain/embedded/embedded.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { orch } from '../helpers/orch.ts';
import type { ClaimAttack, Export, ExportAttack, FileAttack } from './attack.ts';
import { attackByMarket, attackByRecall } from './elsewhere.ts';
import { honestFiles } from './honest/files.ts';
import { honest, type Honest, type HonestFile } from './honest/honest.ts';
import { ways, type Way } from './suite.ts';

export interface Outcome extends Way {
  readonly verdict: Verdict;
}

export interface HonestOutcome {
  readonly honest: Honest | HonestFile;
  readonly verdicts: readonly Verdict[];
}

const deadlineMs = 60_000;

export async function openGate(image: ImageName = 'init'): Promise<Lean> {
  return await openLean({ ...settingsFrom(), lean: 'embedded' }, { image, slots: 1 });
}

/** Number of gates at a time: each keeps about one core busy. */
export type Lanes = 1 | 2;

export const allHonest: readonly (Honest | HonestFile)[] = [...honest, ...honestFiles];

/** Every attack through every entry. */
export async function runAttacks(
  chosen: readonly Way[] = ways,
  lanes: Lanes = 2,
  onOutcome?: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const faults: Error[] = [];
  for (const image of ['init', 'std'] as const) {
    const rows = chosen.filter(({ attack }) => (attack.image ?? 'init') === image);
    await inLanes(lanes, image, rows, async (lean, way) => {
      try {
        const outcome = { ...way, verdict: await attackBy(lean, way, lanes) };
        outcomes.push(outcome);
        onOutcome?.(outcome);
      } catch (error) {
        const { sort, disguise } = way.attack;
        faults.push(new Error(`${sort}, ${disguise}, ${way.entry}`, { cause: error }));
      }
    });
  }
  // one attack that cannot be carried out does not hide what the others met
  if (faults.length > 0)
    throw new AggregateError(faults, `${faults.length} attacks could not be carried out`);
  return outcomes;
}

export async function runHonest(
  chosen: readonly (Honest | HonestFile)[] = allHonest,
  lanes: Lanes = 2,
): Promise<HonestOutcome[]> {
  const outcomes: HonestOutcome[] = [];
  await inLanes(lanes, 'init', chosen, async ({ gate }, row) => {
    const limits = { deadlineMs };
    const verdicts =
      'file' in row ? await checkInFolders(gate, row, limits) : [await gate.check(row, limits)];
    outcomes.push({ honest: row, verdicts });
  });
  return outcomes;
}

async function inLanes<Row>(
  lanes: Lanes,
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

async function attackBy(lean: Lean, { attack, entry }: Way, lanes: Lanes): Promise<Verdict> {
  const limits = { deadlineMs: attack.deadlineMs ?? deadlineMs };
  if ('candidate' in attack) return await judgeForged(lean.gate, attack);
  if (entry === 'orch check') return await attackByCommandLine(attack, lanes === 1 ? orchHere : orch);
  if ('file' in attack) return worst(await checkInFolders(lean.gate, attack, limits));
  if (entry === 'hostile elaborator')
    return await lean.gate.judge(attack, await exportBlindly(lean.pool, attack, limits), limits);
  if (entry === 'market') return await attackByMarket(lean, attack, limits);
  if (entry === 'ledger recall') return await attackByRecall(lean, attack);
  return attack.before ? await attackAfter(attack.before, attack) : await lean.gate.check(attack, limits);
}

export type FileInFolder = Pick<FileAttack, 'file' | 'against' | 'beside' | 'besideReference'>;

/** A file of a project is in a folder with its modules, and so is its reference. */
export async function checkInFolders(
  gate: Gate,
  claim: FileInFolder,
  limits: { deadlineMs: number },
  /** Read the reference as the candidate is read: what the gate never does by itself. */
  isTogether = false,
): Promise<Verdict[]> {
  const { file: text, against } = claim;
  if (claim.beside === undefined)
    return await gate.checkFile({ text, ...(against !== undefined && { against }) }, limits);
  return await inFolders(claim, async (file, reference) => {
    const environment = environmentOfFile(file, text);
    if (reference === undefined || against === undefined)
      return await gate.checkFile({ text, file, environment }, limits);
    const againstIn = isTogether ? environment : environmentOfFile(reference, against);
    return await gate.checkFile({ text, file, environment, against, againstIn }, limits);
  });
}

/** Writes the folders for as long as something is done with the file and its reference. */
export async function inFolders<Value>(
  claim: FileInFolder,
  work: (file: string, reference: string | undefined) => Promise<Value>,
): Promise<Value> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'orch-soundness-'));
  try {
    return await work(...(await writeFolders(claim, folder)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The file with its neighbours, and the reference with its own. */
async function writeFolders(
  { file, against, beside = {}, besideReference = {} }: FileInFolder,
  folder: string,
): Promise<[string, string | undefined]> {
  const writeAll = async (name: string, files: Readonly<Record<string, string>>): Promise<void> => {
    await mkdir(path.join(folder, name));
    for (const [one, text] of Object.entries(files)) await writeFile(path.join(folder, name, one), text);
  };
  await writeAll('submission', { ...beside, 'Solution.lean': file });
  const solution = path.join(folder, 'submission', 'Solution.lean');
  if (against === undefined) return [solution, undefined];
  await writeAll('reference', { ...besideReference, 'Reference.lean': against });
  return [solution, path.join(folder, 'reference', 'Reference.lean')];
}

/** A new gate: earlier claims may try to corrupt it. */
async function attackAfter(
  before: NonNullable<ClaimAttack['before']>,
  attack: ClaimAttack,
): Promise<Verdict> {
  await using lean = await openGate(attack.image);
  for (const claim of before) await lean.gate.check(claim, { deadlineMs });
  return await lean.gate.check(attack, { deadlineMs });
}

/** An elaborator that exports everything it produced, including errors and `sorry`s, without checks. */
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

/** The verdict on a whole file: a refusal, if there is one. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  const refusals = verdicts.filter(({ verdict }) => verdict !== 'accepted');
  const found = refusals.find(({ name }) => name === 't') ?? refusals[0] ?? verdicts[0];
  if (found === undefined) throw new Error('a file with an attack in it gets no verdict at all');
  return found;
}

export async function judgeForged(gate: Gate, { candidate, ...question }: ExportAttack): Promise<Verdict> {
  return await gate.judge(question, candidate, { deadlineMs });
}

/** The export of an honest elaborator. */
export async function exportOf(pool: Lean['pool'], claim: Omit<Claim, 'allowAxioms'>): Promise<Export> {
  return await pool.use(async (lease) => {
    const loaded = await lease.session(claim.preamble ?? '', { deadlineMs });
    if (!loaded.ok) throw new Error(`the preamble does not load: ${loaded.message}`);
    const { session } = loaded;
    const { statement, proof } = claim;
    const reply = await lease.request('check', { session, statement, proof, export: true }, { deadlineMs });
    if (!reply.ok) throw new Error(`${statement}: ${reply.message}`);
    return reply.export as Export;
  });
}

/** In this process if nothing else runs at the same time, otherwise in a new one. */
type Command = typeof orch | typeof orchHere;

async function attackByCommandLine(attack: ClaimAttack | FileAttack, command: Command): Promise<Verdict> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'orch-soundness-'));
  try {
    const args = await commandLine(attack, folder);
    return worst(await orchCheck(args, command));
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
    const [file, reference] = await writeFolders(attack, folder);
    return reference === undefined ? [file] : [file, '--against', reference];
  }
  const preamble =
    attack.preamble === undefined ? [] : ['--preamble', await write('preamble.lean', attack.preamble)];
  return ['--stmt', attack.statement, '--proof', attack.proof, ...preamble];
}

/** The verdicts of the command; it must also exit as a refusal does. */
async function orchCheck(args: readonly string[], command: Command): Promise<Verdict[]> {
  const { code, stdout } = await command(['check', '--json', '--timeout', '300', ...args]);
  if (code !== 1 && code !== 3) throw new Error(`orch check exits with ${code} for an attack: ${stdout}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Verdict);
}
