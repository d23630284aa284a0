import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { UserError, messageOf } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import { rateOf, type KnownScript } from '../../store/scripts/script-cache.ts';
import type { Bundle } from '../../store/scripts/bundle.ts';
import type { ScriptStore } from '../../store/scripts/scripts.ts';
import { alignColumns } from '../../reporters/format.ts';
import { addLedgerOption } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import { readText } from '../../io/text-file.ts';
import { escaped, forPeople } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';

interface CacheOptions {
  readonly ledger?: string;
  readonly json?: true;
  readonly sign?: string;
  readonly key?: string;
  readonly days?: number;
}

export function registerCache(program: Command): void {
  const cache = program
    .command('cache')
    .description('Manage cached proof scripts, which are tried first on similar goals');
  addLedgerOption(
    cache
      .command('stats')
      .description('Show the number of scripts and which succeed most often')
      .option('--json', 'print JSON'),
  ).action(async (options: CacheOptions) => await withStore(options, (store) => showStats(store, options)));
  addLedgerOption(
    cache
      .command('export')
      .description('Export all scripts, and the premises found for goals, into one reproducible file')
      .argument('<file>', 'bundle to write')
      .option('--sign <file>', 'sign with this Ed25519 private key (PEM)'),
  ).action(
    async (file: string, options: CacheOptions) =>
      await withStore(options, async (store) => await exportTo(store, file, options)),
  );
  addLedgerOption(
    cache
      .command('import')
      .description('Import a bundle; scripts are run and judged here before they count')
      .argument('<file>', 'the bundle')
      .option('--key <file>', 'accept only a bundle signed for this Ed25519 public key (PEM)'),
  ).action(
    async (file: string, options: CacheOptions) =>
      await withStore(options, async (store) => await importFrom(store, file, options), true),
  );
  addLedgerOption(
    cache
      .command('diff')
      .description('Compare a bundle with the local cache')
      .argument('<file>', 'the bundle')
      .option('--json', 'print JSON'),
  ).action(
    async (file: string, options: CacheOptions) =>
      await withStore(options, async (store) => await showDiff(store, file, options)),
  );
  addLedgerOption(
    cache
      .command('prune')
      .description('Remove scripts for other Lean versions, scripts that mostly fail, and unused scripts')
      .option('--days <count>', 'unused for this many days', parseDays, 90),
  ).action(
    async (options: CacheOptions) => await withStore(options, async (store) => await prune(store, options)),
  );
}

/** Reading a missing cache gives an empty store; only writing creates the file. */
async function withStore(
  options: CacheOptions,
  work: (store: ScriptStore) => void | Promise<void>,
  keeps = false,
): Promise<void> {
  const { scriptsFile } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { systemClock } = await import('../../core/clock.ts');
  const { ScriptStore } = await import('../../store/scripts/scripts.ts');
  const file = scriptsFile(settingsFrom(settingFlags({ ...options })));
  using store = new ScriptStore(keeps || existsSync(file) ? file : ':memory:', systemClock);
  await work(store);
  process.exitCode = ExitCode.done;
}

function showStats(store: ScriptStore, { json }: CacheOptions): void {
  const scripts = store.all();
  const sum = (key: 'uses' | 'successes'): number =>
    scripts.reduce((total, script) => total + script[key], 0);
  const counts = {
    scripts: scripts.length,
    shapes: new Set(scripts.map(({ shape }) => shape)).size,
    goals: new Set(scripts.map(({ goalHash }) => goalHash)).size,
    from_bundles: scripts.filter(({ origin }) => origin !== 'here').length,
    uses: sum('uses'),
    successes: sum('successes'),
    leans: [...new Set(scripts.map(({ lean }) => lean))],
  };
  const best = scripts
    .toSorted((one, two) => two.successes - one.successes || rateOf(two) - rateOf(one))
    .slice(0, 10);
  process.stdout.write(json ? `${JSON.stringify({ ...counts, best })}\n` : describe(counts, best));
}

type Count = 'scripts' | 'shapes' | 'goals' | 'from_bundles' | 'uses' | 'successes';

function describe(
  { scripts, shapes, goals, from_bundles, uses, successes }: Readonly<Record<Count, number>>,
  best: readonly KnownScript[],
): string {
  const rows = best.map(({ template, uses: times, successes: held }) => [
    String(held),
    String(times),
    template.replaceAll('\n', ' ⏎ ').slice(0, 80),
  ]);
  return (
    `${plural(scripts, 'script')} of ${plural(goals, 'goal')} in ${plural(shapes, 'shape')}, ${from_bundles} from bundles; accepted in ${successes} of ${plural(uses, 'use')}\n` +
    (rows.length === 0
      ? ''
      : alignColumns([['held', 'tried', 'script'], ...rows], ['right', 'right', 'left']))
  );
}

async function exportTo(store: ScriptStore, file: string, options: CacheOptions): Promise<void> {
  const { sign } = options;
  const { ledgerIfThere } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { searchMemoryBounds } = await import('../../store/ledger/search-memory.ts');
  const { exportBundle } = await import('../../store/scripts/bundle.ts');
  const scripts = store.all();
  await using ledger = await ledgerIfThere(settingsFrom(settingFlags({ ...options })));
  const premises = (await ledger?.experience.cachedPremises(searchMemoryBounds.premises)) ?? [];
  const privateKey = sign === undefined ? undefined : readText(sign);
  const { bytes, address } = exportBundle(scripts, { privateKey, premises });
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    throw new UserError('unwritable', `cannot write ${file}: ${messageOf(error)}`, undefined, {
      cause: error,
    });
  }
  process.stdout.write(
    `${plural(scripts.length, 'script')}, premises of ${plural(premises.length, 'goal')}, ${bytes.length} bytes, ${address}\n`,
  );
}

async function importFrom(store: ScriptStore, file: string, options: CacheOptions): Promise<void> {
  const { address, scripts, premises, leftOut } = await readBundle(file, options.key);
  if (premises.length > 0) await importPremises(premises, options);
  const added = store.add(scripts);
  const remark = leftOut === 0 ? '' : `; ${leftOut} left out, because they could only cost time`;
  process.stdout.write(escaped`${added} new of ${scripts.length} scripts from ${address}${remark}\n`);
}

/** Existing local entries stay. */
async function importPremises(premises: Bundle['premises'], options: CacheOptions): Promise<void> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { searchMemoryBounds } = await import('../../store/ledger/search-memory.ts');
  await using ledger = await ledgerOf(settingsFrom(settingFlags({ ...options })));
  const { experience } = ledger;
  const known = new Set((await experience.cachedPremises(searchMemoryBounds.premises)).map(keyOf));
  await experience.cachePremises(premises.filter((row) => !known.has(keyOf(row))));
}

function keyOf({ goalHash, fingerprint }: Bundle['premises'][number]): string {
  return `${goalHash} ${fingerprint}`;
}

async function showDiff(store: ScriptStore, file: string, { json }: CacheOptions): Promise<void> {
  const here = new Map(store.all().map((script) => [script.id, script]));
  const there = new Map((await readBundle(file)).scripts.map((script) => [script.id, script]));
  const onlyThere = [...there.values()].filter(({ id }) => !here.has(id)).map(({ template }) => template);
  const onlyHere = [...here.values()].filter(({ id }) => !there.has(id)).map(({ template }) => template);
  const both = there.size - onlyThere.length;
  const lines = [...onlyHere.map((text) => `- ${text}`), ...onlyThere.map((text) => `+ ${text}`)];
  process.stdout.write(
    json
      ? `${JSON.stringify({ both, only_here: onlyHere, only_there: onlyThere })}\n`
      : [...lines.map((text) => forPeople(text.replaceAll('\n', ' ⏎ '))), `${both} in both`, ''].join('\n'),
  );
}

async function prune(store: ScriptStore, { days = 90 }: CacheOptions): Promise<void> {
  // the Lean that wrote last is the one in use
  const [newest] = store.all().toSorted((one, two) => two.lastUsed - one.lastUsed);
  process.stdout.write(`removed ${newest ? store.prune({ lean: newest.lean, days }) : 0} scripts\n`);
}

async function readBundle(file: string, key?: string): Promise<Bundle> {
  const { importBundle, maxBytes } = await import('../../store/scripts/bundle.ts');
  try {
    if (statSync(file).size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1e6} MB`);
    return importBundle(readFileSync(file), key === undefined ? undefined : readText(key));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('unreadable-file', `cannot read ${file}: ${messageOf(error)}`, undefined, {
      cause: error,
    });
  }
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!(days > 0)) throw new InvalidArgumentError('expected a number of days above 0.');
  return days;
}
