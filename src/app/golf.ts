import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type Lean, openLean } from './lean.ts';
import type { Settings } from '../config/schema.ts';
import { type ShipFlags, exitCodeOfShipped, tellShipped } from './ship.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { sourceName } from '../lean/base/names.ts';
import { type ProvedTheorem, provedTheorems, withShorter } from '../lean/improve/golf/file.ts';
import { type Contestant, type Game, golf } from '../lean/improve/golf/golf.ts';
import { type LeanEnvironment, environmentOfFile } from '../lean/project/environment.ts';
import { type LeanGoal, leanGoalIn } from '../lean/goals/goal.ts';
import type { Yard } from '../lean/ship/shipments.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { settingFlags } from '../config/flags.ts';
import { readText } from '../io/text-file.ts';
import { escaped } from '../shared/for-people.ts';
import { ledgerOf } from './ledger.ts';
import { settingsFrom } from './settings.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import { imageFor } from '../lean/project/image-choice.ts';
import { newRunId, startOf } from './run.ts';
import { systemClock } from '../core/clock.ts';
import { firstWeights } from '../core/difficulty.ts';
import { golfRun } from '../lean/improve/golf/lesson.ts';
import { describeToolchain } from '../lean/toolchain/toolchain.ts';
import { findGoal } from '../store/ledger/find-goal.ts';
import { writeJudged } from '../lean/writing/writer.ts';
import { SourceText } from '../lean/base/source-text.ts';
import { ship } from '../lean/ship/ship.ts';
import { shorterProofs } from '../lean/ship/shorter.ts';
import { isShorter } from '../lean/improve/golf/score.ts';
import { plural } from '../shared/plural.ts';

export interface GolfOptions extends ShipFlags {
  readonly write?: true;
  readonly ship?: true;
  readonly json?: true;
  readonly seconds: number;
  readonly ledger?: string;
}

interface Played {
  readonly theorem: Pick<ProvedTheorem, 'goal' | 'proof'>;
  readonly game: Game;
}

export async function play(what: string, options: GolfOptions): Promise<ExitCode> {
  const settings = settingsFrom(settingFlags({ ledger: options.ledger }));
  const isFile = what.endsWith('.lean');
  if ((options.write || options.ship) && !isFile)
    throw new UserError(
      'no-place',
      '--write and --ship need a file: a goal of the ledger has none',
      'Type orch golf FILE.lean --write.',
    );
  if (options.write && options.ship)
    throw new UserError(
      'write-or-ship',
      '--write changes the file here, --ship changes a branch instead',
      'Choose one.',
    );
  const yard = options.ship ? await (await import('./ship.ts')).openYard(options) : undefined;
  await using ledger = await ledgerOf(settings);
  const solved = isFile ? undefined : await solvedGoal(ledger, what);
  const image = solved ? imageFor(solved.goal) : imageOfFiles([what]);
  await using lean = await openLean(settings, { image, slots: 1 });
  const file = isFile ? await openFile(what, lean) : undefined;
  const played: Played[] = [];
  for (const theorem of file?.theorems ?? (solved ? [solved] : [])) {
    const game = await golfed(theorem, lean, ledger, options.seconds);
    if (!game) continue;
    played.push({ theorem, game });
    process.stdout.write(
      options.json ? `${JSON.stringify(told(theorem.goal, game))}\n` : describe(theorem.goal, game),
    );
  }
  await rememberGames(ledger, settings, played, lean);
  if (file && options.write) await write(file, played, lean);
  return file && yard ? await shipShorter(file, played, lean, yard, options.json === true) : ExitCode.done;
}

/** Later runs find the shorter proof, and its arm is rewarded. */
export async function rememberGames(
  { journal }: Ledger,
  settings: Settings,
  played: readonly Played[],
  { pool }: Lean,
): Promise<void> {
  const start = startOf({
    settings,
    shares: { workers: 1, max_light: 1 },
    choice: { command: 'golf', sources: [], seed: 1, timeout: null },
    toolchain: describeToolchain(pool.toolchain),
    strategies: [],
    learned: { arms: [], weights: firstWeights },
  });
  const games = played.map(({ theorem, game }) => ({ goal: theorem.goal, game }));
  const events = golfRun(newRunId(), systemClock.date().getTime(), start, games);
  if (events.length > 0) await journal.append(events);
}

async function golfed(
  { goal, proof }: Pick<ProvedTheorem, 'goal' | 'proof'>,
  lean: Lean,
  { experience }: Ledger,
  cpuSeconds: number,
): Promise<Game | undefined> {
  const game = await golf({ ...lean, memory: experience }, goal, proof, { cpuSeconds });
  if (game.ok) return game.value;
  process.stderr.write(escaped`orch: ${goal.id}: ${game.error.message}\n`);
  return undefined;
}

/** A goal of the ledger with its latest accepted proof. */
async function solvedGoal(ledger: Ledger, name: string): Promise<Pick<ProvedTheorem, 'goal' | 'proof'>> {
  const found = await findGoal(ledger, name);
  const detail = await ledger.views.goal(found.run, found.goal);
  const proof = detail?.verdicts.findLast(({ verdict }) => verdict === 'accepted')?.proof;
  if (!detail || proof === undefined || proof === null)
    throw new UserError(
      'not-solved',
      `${found.goal} has no accepted proof yet`,
      'Search for one with orch run.',
    );
  return { goal: leanGoalIn(detail.task), proof };
}

interface OpenFile {
  readonly file: string;
  readonly raw: string;
  readonly environment: LeanEnvironment;
  /** Hash of the imported modules. */
  readonly closure: string;
  readonly theorems: readonly ProvedTheorem[];
}

async function openFile(file: string, { pool }: Lean): Promise<OpenFile> {
  const raw = readText(file);
  const environment = environmentOfFile(file, raw);
  const closure = await pool.environments.closureOf(environment);
  const theorems = await pool.use(async (lease) => await provedTheorems(lease, raw, file, environment), {
    environment,
  });
  if (!theorems.ok) {
    const error = theorems.error.messages.find(({ severity }) => severity === 'error');
    const place = error ? `${file}:${error.start[0]}` : file;
    throw new UserError(
      'unreadable-file',
      `${place}: ${theorems.error.message}`,
      'Only a file without errors can be golfed; orch clinic repairs broken proofs.',
    );
  }
  return { file, raw, environment, closure, theorems: theorems.value };
}

const judgeMs = 120_000;

/** All or nothing: every statement must be unchanged, and every shorter proof accepted. */
export async function write(
  { file, raw, environment, closure, theorems }: OpenFile,
  played: readonly Played[],
  lean: Lean,
): Promise<void> {
  const shorter = await shortened({ raw, theorems }, played);
  if (!shorter) return;
  const { text, names } = shorter;
  const reference = { against: new SourceText(raw).text, againstIn: environment };
  const claim = {
    text: new SourceText(text).text,
    environment,
    ...reference,
    secondKernel: 'final',
  } as const;
  const { verdicts, addsCode } = await lean.gate.judgeFile(claim, { deadlineMs: judgeMs });
  if (addsCode)
    throw new UserError(
      'not-accepted',
      `${file} was not written: a shorter proof runs its own code during elaboration`,
    );
  // other theorems may be open, as before
  const bad = verdicts.find(
    ({ name, verdict, kind }) =>
      verdict !== 'accepted' && (kind === 'statement-changed' || names.has(sourceName(name ?? ''))),
  );
  if (bad || verdicts.length === 0)
    throw new UserError(
      'not-accepted',
      `${file} was not written: ${bad?.name ?? file}: ${bad?.message ?? 'the gate found no theorem'}`,
    );
  const why = await writeJudged({ file, before: raw, after: text, closure }, lean);
  if (why !== undefined)
    throw new UserError('not-written', `${file} was not written: ${why}`, 'Run it again.');
  process.stderr.write(`orch: ${file}: ${plural(names.size, 'proof is', 'proofs are')} shorter\n`);
}

/** The file with its shorter proofs, if there are any. */
async function shortened(
  { raw, theorems }: Pick<OpenFile, 'raw' | 'theorems'>,
  played: readonly Played[],
): Promise<{ readonly text: string; readonly names: ReadonlySet<string> } | undefined> {
  const shorter = theorems.flatMap((theorem) => {
    const game = played.find((one) => one.theorem === theorem)?.game;
    return game && game.winner !== game.before ? [{ theorem, proof: game.winner.proof }] : [];
  });
  const names = new Set(shorter.map(({ theorem }) => sourceName(theorem.goal.id)));
  return names.size === 0 ? undefined : { text: withShorter(raw, shorter), names };
}

/** A branch and a pull request with the shorter proofs; the local file is not changed. */
async function shipShorter(
  open: OpenFile,
  played: readonly Played[],
  lean: Lean,
  yard: Yard,
  asJson: boolean,
): Promise<ExitCode> {
  // a proof that is only faster is not worth a review
  const inText = played.filter(({ game: { winner, before } }) =>
    isShorter({ ...winner, cpuSeconds: 0 }, { ...before, cpuSeconds: 0 }),
  );
  const shorter = await shortened(open, inText);
  if (!shorter) return ExitCode.done;
  const file = path.relative(realpathSync(yard.git.folder), realpathSync(open.file));
  const shipment = shorterProofs(lean, yard.git, { file, before: open.raw, after: shorter.text });
  const shipped = await ship(yard.git, yard.start, [shipment], yard);
  tellShipped(shipped, asJson);
  return exitCodeOfShipped(shipped);
}

function told({ id }: LeanGoal, { before, winner, contestants, cpuSeconds }: Game): object {
  return { id, before, winner, contestants, cpuSeconds };
}

function describe({ id }: LeanGoal, { before, winner, contestants }: Game): string {
  if (winner === before)
    return escaped`= ${id}  ${length(before)}; ${contestants.length} others, none shorter\n`;
  const proof = winner.proof.replaceAll(/\s*\n\s*/g, '; ');
  return escaped`✓ ${id}  ${length(before)} → ${length(winner)}, by ${winner.by}  ${proof}\n`;
}

function length({ tactics, characters }: Contestant): string {
  return `${plural(tactics, 'tactic')}, ${characters} characters`;
}
