import { existsSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { failed, success, type Fault, type Result } from '../core/result.ts';
import { gitFact } from '../io/git-process.ts';
import { Git, type RemoteFile } from '../io/git.ts';
import { plural } from '../shared/plural.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { searchMemoryBounds } from '../store/ledger/search-memory.ts';
import { exportBundle, importBundle, maxBytes, maxFrontiers, type Bundle } from '../store/scripts/bundle.ts';
import { ScriptStore } from '../store/scripts/scripts.ts';
import { ledgerIfThere, ledgerOf, scriptsFile } from './ledger.ts';
import { talk } from '../reporters/talk.ts';

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
  // what is here is never dropped for what a bundle says
  const room = Math.max(0, searchMemoryBounds.premises - known.size);
  await experience.cachePremises(premises.filter((row) => !known.has(keyOf(row))).slice(0, room));
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

/** Imports the newest usable bundles of a remote. One that is broken is skipped and named. */
export async function pullCaches(
  settings: Settings,
  git: Git,
  remote: string,
  publicKey?: string,
): Promise<Result<PulledCaches, Fault<'git'>>> {
  const found = await newest(git, remote);
  if (!found.ok) return found;
  let newScripts = 0;
  const { usable, broken } = await firstUsable(git, remote, found.value, { most: keptBundles, publicKey });
  for (const { bundle } of usable) newScripts += await absorb(settings, bundle);
  const [first] = usable;
  const message = [
    first
      ? `${plural(usable.length, 'bundle')} from ${remote}: ${plural(newScripts, 'new script')}; the newest has ${countsOf(first.bundle)}`
      : `${remote} has no usable caches`,
    ...broken.slice(0, shownBroken),
    ...(broken.length > shownBroken ? [`${broken.length - shownBroken} more`] : []),
  ].join('\n');
  return success({ bundles: usable.length, newScripts, message });
}

const shownBroken = 5;
/** Anyone who may push can publish any number of broken bundles: reading stops when this time is over. */
const readingMs = 120_000;

interface Usable {
  readonly ref: string;
  readonly bundle: Bundle;
}

/** The first bundles with content, in this order; and what is wrong with those before them. */
async function firstUsable(
  git: Git,
  remote: string,
  found: readonly RemoteFile[],
  { most, publicKey }: { readonly most: number; readonly publicKey?: string | undefined },
): Promise<{ readonly usable: readonly Usable[]; readonly broken: readonly string[] }> {
  const usable: Usable[] = [];
  const broken: string[] = [];
  const end = systemClock.now() + readingMs;
  for (const one of found) {
    if (usable.length === most || systemClock.now() > end) break;
    const bytes = await git.fetchFile(remote, one, maxBytes);
    const bundle = bytes.ok ? readable(bytes.value, publicKey) : bytes;
    if (!bundle.ok) broken.push(`${one.ref}: ${bundle.error.message}`);
    else if (sizeOf(bundle.value) === 0) broken.push(`${one.ref}: it is empty`);
    else usable.push({ ref: one.ref, bundle: bundle.value });
  }
  return { usable, broken };
}

const sizeOf = ({ scripts, premises, frontiers, arms }: Bundle): number =>
  scripts.length + premises.length + frontiers.length + arms.length;

function readable(bytes: Uint8Array, publicKey: string | undefined): Result<Bundle> {
  try {
    return success(importBundle(bytes, publicKey));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return failed({ kind: error.code, message: error.message });
  }
}

/** The bundles of a remote, newest first. A ref without a time in its name, or with a future one, counts as the oldest. */
async function newest(git: Git, remote: string): Promise<Result<readonly RemoteFile[], Fault<'git'>>> {
  const found = await git.remoteRefs(remote, `${refs}/*`);
  if (!found.ok) return found;
  const latest = timeName(clockSkewMs);
  const timeOf = ({ ref }: RemoteFile): string => {
    const [, time = ''] = /^refs\/orch\/cache\/(\d{8}T\d{9}Z)-[0-9a-f]{16}$/.exec(ref) ?? [];
    return time < latest ? time : '';
  };
  return success(found.value.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1)));
}

/** How far the clocks of machines may differ. */
const clockSkewMs = 3_600_000;

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
  const isThere = tag === undefined && found.value[0]?.ref.endsWith(suffix) === true;
  if (isThere) return success(`${remote} has these caches already: ${counts}`);
  const ref = tag === undefined ? `${refs}/${timeName()}-${suffix}` : `refs/orch/${tag}`;
  using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'orch-caches-'));
  const file = path.join(folder.path, 'caches.orch');
  writeFileSync(file, bytes);
  const pushed = await git.pushFile(remote, file, ref);
  if (!pushed.ok) return failed({ kind: 'git', message: `cannot push ${ref}: ${pushed.error.message}` });
  if (tag === undefined) await removeReplaced(git, remote, found.value);
  return success(`${counts}, ${plural(bytes.length, 'byte')} → ${remote} ${ref}`);
}

/** What comes after the newest usable bundles. Another machine may have removed it first. */
async function removeReplaced(git: Git, remote: string, found: readonly RemoteFile[]): Promise<void> {
  const { usable } = await firstUsable(git, remote, found, { most: keptBundles - 1 });
  const last = usable.length === keptBundles - 1 ? usable.at(-1)?.ref : found.at(-1)?.ref;
  const replaced = found.slice(found.findIndex(({ ref }) => ref === last) + 1).slice(0, 20);
  for (const { ref } of replaced) await git.run('push', '--quiet', remote, `:${ref}`);
}

/** Sorts by time. */
function timeName(laterMs = 0): string {
  return new Date(systemClock.date().getTime() + laterMs).toISOString().replaceAll(/[-:.]/g, '');
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
  if (!pulled.ok) talk(`caches not fetched: ${pulled.error.message}`);
  else if (pulled.value.bundles > 0) talk(`caches: ${pulled.value.message}`);
}

/** After a run that ships: what this machine has learned, for others. */
export async function pushQuietly(settings: Settings, remote: string): Promise<void> {
  const pushed = await pushCaches(settings, new Git(process.cwd()), { remote });
  talk(pushed.ok ? `caches: ${pushed.value}` : `caches not published: ${pushed.error.message}`);
}
