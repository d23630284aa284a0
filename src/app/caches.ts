import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { failed, success, type Fault, type Result } from '../core/result.ts';
import { Git, gitFact } from '../io/git.ts';
import { linesForPeople } from '../shared/for-people.ts';
import { plural } from '../shared/plural.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { searchMemoryBounds } from '../store/ledger/search-memory.ts';
import { exportBundle, importBundle, maxFrontiers, type Bundle } from '../store/scripts/bundle.ts';
import { ScriptStore } from '../store/scripts/scripts.ts';
import { ledgerIfThere, ledgerOf, scriptsFile } from './ledger.ts';

/**
 * Caches that travel: scripts, premises, frontiers and records of arms, as one bundle per machine.
 *
 * A remote keeps the newest bundles as files of their own refs, `refs/orch/cache/TIME-ADDRESS`, which no clone fetches by default.
 * A ref is never moved, so machines cannot overwrite each other's bundle, and nothing is ever forced.
 */
const refs = 'refs/orch/cache';
const keptBundles = 3;

interface PackedCaches {
  readonly bytes: Buffer;
  readonly address: string;
  readonly counts: string;
}

/** Everything that this machine has learned and imported. */
export async function packCaches(
  settings: Settings,
  { privateKey }: { privateKey?: string } = {},
): Promise<PackedCaches> {
  await using ledger = await ledgerIfThere(settings);
  const file = scriptsFile(settings);
  using store = new ScriptStore(existsSync(file) ? file : ':memory:', systemClock);
  const own = (await ledger?.experience.armRecords()) ?? [];
  const caches = {
    scripts: store.all(),
    premises: (await ledger?.experience.cachedPremises(searchMemoryBounds.premises)) ?? [],
    frontiers: (await ledger?.experience.frontiers(maxFrontiers)) ?? [],
    arms: own.length > 0 ? own : store.arms(),
  };
  const project = gitFact('.', 'rev-parse', '--verify', '--quiet', 'HEAD');
  return { ...exportBundle(caches, { privateKey, project }), counts: countsOf(caches) };
}

function countsOf(caches: Pick<Bundle, 'scripts' | 'premises' | 'frontiers' | 'arms'>): string {
  const { scripts, premises, frontiers, arms } = caches;
  return [
    plural(scripts.length, 'script'),
    `premises of ${plural(premises.length, 'goal')}`,
    `open states of ${plural(frontiers.length, 'goal')}`,
    `records of ${plural(arms.length, 'arm')}`,
  ].join(', ');
}

/** Adds a bundle to the caches here; existing entries stay. Returns the number of new scripts. */
export async function absorb(settings: Settings, bundle: Bundle): Promise<number> {
  const { premises, frontiers, arms, scripts } = bundle;
  if (premises.length + frontiers.length > 0) {
    await using ledger = await ledgerOf(settings);
    await absorbHints(ledger, bundle);
  }
  using store = new ScriptStore(scriptsFile(settings), systemClock);
  store.addArms(arms);
  return store.add(scripts);
}

async function absorbHints({ experience }: Ledger, { premises, frontiers }: Bundle): Promise<void> {
  const known = new Set((await experience.cachedPremises(searchMemoryBounds.premises)).map(keyOf));
  await experience.cachePremises(premises.filter((row) => !known.has(keyOf(row))));
  for (const { goalHash, fingerprint, start, nodes } of frontiers)
    if ((await experience.frontier(goalHash, fingerprint)).length === 0)
      await experience.saveFrontier(goalHash, fingerprint, start, nodes);
}

const keyOf = ({ goalHash, fingerprint }: { goalHash: string; fingerprint: string }): string =>
  `${goalHash} ${fingerprint}`;

/** The result of a pull. */
export interface PulledCaches {
  readonly bundles: number;
  readonly newScripts: number;
  readonly message: string;
}

/** Imports the newest bundles of a remote. A bundle that is broken is skipped and named. */
export async function pullCaches(
  settings: Settings,
  git: Git,
  remote: string,
  publicKey?: string,
): Promise<Result<PulledCaches, Fault<'git'>>> {
  const found = await newest(git, remote);
  if (!found.ok) return found;
  let newScripts = 0;
  const bundles: Bundle[] = [];
  const broken: string[] = [];
  for (const one of found.value.slice(0, keptBundles)) {
    const bytes = await git.fetchFile(remote, one);
    if (!bytes.ok) return bytes;
    const bundle = readable(bytes.value, publicKey);
    if (bundle.ok) {
      newScripts += await absorb(settings, bundle.value);
      bundles.push(bundle.value);
    } else broken.push(`${one.ref}: ${bundle.error.message}`);
  }
  const [first] = bundles;
  const message = [
    first
      ? `${plural(bundles.length, 'bundle')} from ${remote}: ${plural(newScripts, 'new script')}; the newest has ${countsOf(first)}`
      : `${remote} has no usable caches`,
    ...broken,
  ].join('\n');
  return success({ bundles: bundles.length, newScripts, message });
}

function readable(bytes: Uint8Array, publicKey: string | undefined): Result<Bundle> {
  try {
    return success(importBundle(bytes, publicKey));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return failed({ kind: error.code, message: error.message });
  }
}

/** The bundles of a remote, newest first: their names begin with a time. */
async function newest(git: Git, remote: string): ReturnType<Git['remoteRefs']> {
  const found = await git.remoteRefs(remote, `${refs}/*`);
  if (!found.ok) return found;
  return success(found.value.toSorted((one, other) => (one.ref < other.ref ? 1 : -1)));
}

/** Publishes the caches of this machine, and removes bundles that newer ones replace. A tag's bundle stays for good. */
export async function pushCaches(
  settings: Settings,
  git: Git,
  { remote, tag, privateKey }: { remote: string; tag?: string | undefined; privateKey?: string },
): Promise<Result<string, Fault<'git'>>> {
  const { bytes, address, counts } = await packCaches(
    settings,
    privateKey === undefined ? {} : { privateKey },
  );
  const found = await newest(git, remote);
  if (!found.ok) return found;
  const suffix = address.slice(0, 16);
  const [last] = found.value;
  const isThere = tag === undefined && last?.ref.endsWith(suffix) === true;
  if (isThere) return success(`${remote} has these caches already: ${counts}`);
  const ref = tag === undefined ? `${refs}/${timeName()}-${suffix}` : `refs/orch/${tag}`;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-caches-'));
  try {
    const file = path.join(folder, 'caches.orch');
    writeFileSync(file, bytes);
    const pushed = await git.pushFile(remote, file, ref);
    if (!pushed.ok) return failed({ kind: 'git', message: `cannot push ${ref}: ${pushed.error.message}` });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // another machine may have removed them first
  if (tag === undefined)
    for (const { ref: old } of found.value.slice(keptBundles - 1))
      await git.run('push', '--quiet', remote, `:${old}`);
  return success(`${counts}, ${plural(bytes.length, 'byte')} → ${remote} ${ref}`);
}

/** Sorts by time. */
function timeName(): string {
  return systemClock.date().toISOString().replaceAll(/[-:.]/g, '');
}

export async function writeCaches(settings: Settings, file: string): Promise<PackedCaches> {
  const packed = await packCaches(settings);
  writeFileSync(file, packed.bytes);
  return packed;
}

/** For `bg` and `sweep`: what others have learned, if there is a repository with a remote. A failure costs only time. */
export async function pullQuietly(settings: Settings, remote: string): Promise<void> {
  const git = new Git(process.cwd());
  if ((await git.urlOf(remote)) === undefined) return;
  const pulled = await pullCaches(settings, git, remote);
  if (!pulled.ok) say(`caches not fetched: ${pulled.error.message}`);
  else if (pulled.value.bundles > 0) say(`caches: ${pulled.value.message}`);
}

/** After a run that ships: what this machine has learned, for others. */
export async function pushQuietly(settings: Settings, remote: string): Promise<void> {
  const pushed = await pushCaches(settings, new Git(process.cwd()), { remote });
  say(pushed.ok ? `caches: ${pushed.value}` : `caches not published: ${pushed.error.message}`);
}

function say(text: string): void {
  process.stderr.write(`orch: ${linesForPeople(text)}\n`);
}
