import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { UserError, messageOf } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import { rateOf, type KnownScript } from '../../store/scripts/script-cache.ts';
import type { Bundle } from '../../store/scripts/bundle.ts';
import type { Settings } from '../../config/schema.ts';
import type { ScriptStore } from '../../store/scripts/scripts.ts';
import { alignColumns } from '../../reporters/format.ts';
import { addLedgerOption } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import { readText } from '../../io/text-file.ts';
import { escaped, forPeople, linesForPeople } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';

interface CacheOptions {
  readonly ledger?: string;
  readonly json?: true;
  readonly sign?: string;
  readonly key?: string;
  readonly days?: number;
  readonly remote?: string;
  readonly tag?: string;
}

export function registerCache(program: Command): void {
  const cache = program
    .command('cache')
    .description('Manage caches of earlier work: scripts, premises, open searches, records of arms');
  addLedgerOption(
    cache
      .command('stats')
      .description('Show the number of scripts and which succeed most often')
      .option('--json', 'print JSON'),
  ).action(async (options: CacheOptions) => await withStore(options, (store) => showStats(store, options)));
  addLedgerOption(
    cache
      .command('export')
      .description('Export all caches into one file')
      .argument('<file>', 'bundle to write')
      .option('--sign <file>', 'sign with this Ed25519 private key (PEM)'),
  ).action(exportTo);
  addLedgerOption(
    cache
      .command('import')
      .description('Import a bundle; whatever it proves is run and judged here')
      .argument('<file>', 'the bundle')
      .option('--key <file>', 'accept only a bundle signed for this Ed25519 public key (PEM)'),
  ).action(importFrom);
  addLedgerOption(
    cache
      .command('pull')
      .description('Import the newest bundles of a git remote')
      .option('--remote <name>', 'git remote', 'origin')
      .option('--key <file>', 'accept only bundles signed for this Ed25519 public key (PEM)'),
  ).action(pull);
  addLedgerOption(
    cache
      .command('push')
      .description('Publish the caches here as a bundle on a git remote; it keeps the newest three')
      .option('--remote <name>', 'git remote', 'origin')
      .option('--tag <name>', 'keep this bundle for good, under this name, such as stable/M1', parseTag)
      .option('--sign <file>', 'sign with this Ed25519 private key (PEM)'),
  ).action(push);
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
): Promise<void> {
  const { scriptsFile } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { systemClock } = await import('../../core/clock.ts');
  const { ScriptStore } = await import('../../store/scripts/scripts.ts');
  const file = scriptsFile(settingsFrom(settingFlags({ ...options })));
  using store = new ScriptStore(existsSync(file) ? file : ':memory:', systemClock);
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

async function exportTo(file: string, options: CacheOptions): Promise<void> {
  const { packCaches } = await import('../../app/caches.ts');
  const { bytes, address, counts } = await packCaches(await settingsOf(options), signing(options));
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    throw new UserError('unwritable', `cannot write ${file}: ${messageOf(error)}`, undefined, {
      cause: error,
    });
  }
  process.stdout.write(`${counts}, ${plural(bytes.length, 'byte')}, ${address}\n`);
}

async function settingsOf(options: CacheOptions): Promise<Settings> {
  const { settingsFrom } = await import('../../app/settings.ts');
  return settingsFrom(settingFlags({ ...options }));
}

const signing = ({ sign }: CacheOptions): { privateKey?: string } =>
  sign === undefined ? {} : { privateKey: readText(sign) };

async function importFrom(file: string, options: CacheOptions): Promise<void> {
  const { absorb } = await import('../../app/caches.ts');
  const bundle = await readBundle(file, options.key);
  const { address, scripts, leftOut } = bundle;
  const added = await absorb(await settingsOf(options), bundle);
  const remark = leftOut === 0 ? '' : `; ${leftOut} left out, because they could only cost time`;
  process.stdout.write(escaped`${added} new of ${scripts.length} scripts from ${address}${remark}\n`);
}

async function pull(options: CacheOptions): Promise<void> {
  const { pullCaches } = await import('../../app/caches.ts');
  const { Git } = await import('../../io/git.ts');
  const { remote = 'origin', key } = options;
  const publicKey = key === undefined ? undefined : readText(key);
  const pulled = await pullCaches(await settingsOf(options), new Git(process.cwd()), remote, publicKey);
  if (!pulled.ok) throw new UserError('cache-git', pulled.error.message);
  process.stdout.write(`${linesForPeople(pulled.value.message)}\n`);
}

async function push(options: CacheOptions): Promise<void> {
  const { pushCaches } = await import('../../app/caches.ts');
  const { Git } = await import('../../io/git.ts');
  const { remote = 'origin', tag } = options;
  const where = { remote, tag, ...signing(options) };
  const pushed = await pushCaches(await settingsOf(options), new Git(process.cwd()), where);
  if (!pushed.ok) throw new UserError('cache-git', pushed.error.message);
  process.stdout.write(`${linesForPeople(pushed.value)}\n`);
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

function parseTag(text: string): string {
  if (!/^[A-Za-z][\w-]*(?:\/[\w-]+)*$/.test(text) || text.startsWith('cache/'))
    throw new InvalidArgumentError('expected a name such as stable/M1.');
  return text;
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!(days > 0)) throw new InvalidArgumentError('expected a number of days above 0.');
  return days;
}
