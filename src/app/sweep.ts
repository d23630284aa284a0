import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Lean } from './lean.ts';
import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { type LeanFile, readLeanSide } from '../lean/blueprint/lean-side.ts';
import type { GoalsRead, LeanGoal } from '../lean/goals/goal.ts';
import { placeOf } from '../store/ledger/place.ts';
import type { Shipped } from '../lean/ship/ship.ts';
import type { Yard } from '../lean/ship/shipments.ts';
import { settingFlags } from '../config/flags.ts';
import type { RunOptions } from './run.ts';
import { type ShipFlags, exitCodeOfShipped, tellShipped, shipSolved, openYard } from './ship.ts';
import { type Swept, writeReport, projectCoverage } from './sweep-report.ts';
import { settingsFrom } from './settings.ts';
import { inWorktree } from '../lean/ship/worktree.ts';
import { pullQuietly, pushQuietly, writeCaches } from './caches.ts';
import { usesScripts } from './engine.ts';
import { filesOf } from '../lean/goals/sources.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import { goalsOfFiles } from '../lean/blueprint/file-goals.ts';
import { ProofsInPlace } from '../lean/writing/proofs-in-place.ts';
import { exitCodeOf, prove, remoteOptions } from './reported-run.ts';
import { stuckInLedger } from './stuck.ts';
import { blueprintOf } from '../lean/blueprint/read.ts';
import { syncBlueprint } from '../lean/blueprint/sync-project.ts';
import { environmentOfFile } from '../lean/project/environment.ts';
import { readText } from '../io/text-file.ts';

export interface SweepOptions extends RunOptions, ShipFlags {
  readonly ship?: true;
  readonly promote?: true;
  readonly out: string;
  readonly timeout?: number;
  readonly profile?: string;
  readonly stuck?: true;
  readonly relax: number;
}

export async function sweep(paths: readonly string[], options: SweepOptions): Promise<ExitCode> {
  const found = settingsFrom(settingFlags({ ...options, profile: options.profile ?? '2' }));
  const settings = { ...found, ledger: placeOf(found.ledger) };
  const isShipping = options.ship === true;
  const yard = await openYard({ ...options, pullRequest: isShipping && options.pullRequest });
  const shares = usesScripts(settings, 'sweep');
  if (shares) await pullQuietly(settings, options.remote);
  const swept = await inWorktree(
    yard.git,
    yard.start,
    async ({ folder }) => await new Sweep(settings, options, yard, folder).run(paths),
  );
  if (!swept.ok) throw new UserError('sweep-git', swept.error.message);
  const shipped: readonly Shipped[] = isShipping
    ? await shipSolved(settings, yard, { promote: options.promote === true })
    : [];
  await writeReport(options.out, settings, swept.value, shipped);
  await writeCaches(settings, path.join(options.out, 'caches.orch'));
  if (shares && isShipping) await pushQuietly(settings, options.remote);
  tellShipped(shipped, false);
  process.stderr.write(`report: ${path.join(options.out, 'report.md')}\n`);
  return swept.value.isAll ? exitCodeOfShipped(shipped) : ExitCode.notAll;
}

/** One run in a work tree: write the proofs, imported files first, then update the blueprint. */
class Sweep {
  readonly #settings: Settings;
  readonly #options: SweepOptions;
  readonly #yard: Yard;
  readonly #tree: string;
  /** The project in the work tree. */
  readonly #folder: string;

  constructor(settings: Settings, options: SweepOptions, yard: Yard, tree: string) {
    this.#settings = settings;
    this.#options = options;
    this.#yard = yard;
    this.#tree = tree;
    this.#folder = path.join(tree, yard.project);
  }

  async run(paths: readonly string[]): Promise<Swept> {
    const files = filesOf(
      paths.length === 0 ? [this.#folder] : paths.map((one) => path.join(this.#folder, one)),
    );
    const inPlace = new ProofsInPlace({ named: this.#named, shown: this.#inProject });
    const before = projectCoverage(this.#folder);
    const stuck = this.#options.stuck ? await this.#stuck() : undefined;
    if (stuck?.size === 0) {
      process.stderr.write('orch: nothing is stuck: earlier runs left no critical goal open\n');
      return { run: undefined, isAll: true, patch: '', coverage: { before, after: before }, undecided: [] };
    }
    let undecided: readonly string[] = [];
    const finished = await prove({
      settings: this.#settings,
      reporter: this.#options.reporter,
      choice: {
        command: 'sweep',
        label: this.#options.label,
        sources: files.map((file) => path.relative(this.#folder, file)),
        seed: this.#options.seed,
        timeout: this.#options.timeout ?? null,
        ...remoteOptions(this.#options.workers),
      },
      workers: this.#options.workers,
      image: imageOfFiles(files),
      goals: async (lean) => {
        const { goals, unreadable, warnings } = this.#allNamed(await goalsOfFiles(files, lean));
        const { relax } = this.#options;
        const wanted = stuck
          ? goals.filter(({ id }) => stuck.has(id)).map((goal) => ({ ...goal, relax }))
          : goals;
        return inPlace.first({ goals: wanted, unreadable: stuck ? [] : unreadable, warnings });
      },
      more: inPlace.more,
      afterwards: async (_, lean) => {
        // reads all files, not only those swept: otherwise declarations of nodes would seem to be missing
        undecided = await this.#sync(filesOf([this.#folder]), lean);
      },
    });
    const patch = await this.#yard.git.in(this.#tree).patch();
    return {
      run: finished,
      isAll: inPlace.isAllPlaced && exitCodeOf(finished, inPlace.again) === ExitCode.done,
      patch: patch.ok ? patch.value : '',
      coverage: { before, after: projectCoverage(this.#folder) },
      undecided,
    };
  }

  /** The queue for larger budgets, by name. */
  async #stuck(): Promise<ReadonlySet<string>> {
    return new Set((await stuckInLedger(this.#settings, this.#folder)).map(({ goal }) => goal));
  }

  /** Binds statements to those of the base. Returns what could not be decided, and why. */
  async #sync(files: readonly string[], lean: Lean): Promise<readonly string[]> {
    const blueprint = blueprintOf(this.#folder);
    if (!blueprint) return [];
    const names = blueprint.statements.flatMap(({ declarations }) => declarations);
    const { git, start } = this.#yard;
    // the base needs its own work tree: next to the new proofs, its files could have another meaning
    const side = await inWorktree(git, start, async (base) => {
      const texts = await Promise.all(files.map(async (file) => await this.#sinceBase(file, base.folder)));
      return await readLeanSide(lean, texts, [...new Set(names)]);
    });
    if (!side.ok) throw new UserError('sweep-git', side.error.message);
    const steps = syncBlueprint(this.#folder, side.value, 'replayed');
    return steps.flatMap(({ node, change, message }) =>
      change === 'unknown' ? [`${node}: ${message}`] : [],
    );
  }

  async #sinceBase(file: string, base: string): Promise<LeanFile> {
    const before = path.join(base, path.relative(this.#tree, file));
    if (!existsSync(before)) return { file, text: readText(file) };
    const against = readText(before);
    return { file, text: readText(file), against, againstIn: environmentOfFile(before, against) };
  }

  #allNamed({ goals, unreadable, warnings = [] }: GoalsRead): GoalsRead {
    const place = this.#inProject;
    return {
      goals: goals.map(this.#named),
      unreadable: unreadable.map((one) => ({ ...one, id: place(one.id), source: place(one.source) })),
      warnings: warnings.map(place),
    };
  }

  /** Goals are named by their path in the project, not in the temporary work tree. */
  readonly #named = (goal: LeanGoal): LeanGoal => ({
    ...goal,
    id: this.#inProject(goal.id),
    source: goal.source === null ? null : this.#inProject(goal.source),
  });

  readonly #inProject = (text: string): string => text.replace(`${this.#folder}${path.sep}`, '');
}
