import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import * as z from 'zod';
import { UserError, messageOf } from '../../core/errors.ts';
import type { ArmRecord } from '../../shared/events.ts';
import type { CachedPremises, SavedFrontier } from '../ledger/search-memory.ts';
import { scriptId, type KnownScript } from './script-cache.ts';
import { jsonOrNothing } from '../../core/json.ts';
import { sha256 } from '../../core/sha256.ts';

/**
 * Caches as a file for other machines: scripts, premises with their vectors, states where searches stopped, and records of arms.
 * It is zstd-compressed text: a header with versions and counts, then one entry per line, sorted, so that equal caches give equal
 * lines. Its address is the SHA-256 of the lines; a signature (Ed25519) is over the address.
 *
 * Nothing in a bundle is trusted: sizes are limited before unpacking, every line is checked, addresses are recomputed, foreign
 * statistics count little, and text that only Lean may print is left out. The gate judges whatever the scripts prove.
 */
export const maxBytes = 32e6;
const maxUnpacked = 128e6;
const maxScripts = 20_000;
const maxGoals = 5000;
const maxArms = 5000;
/** Frontiers are the largest entries: tens of kilobytes each before compression. */
export const maxFrontiers = 500;
const maxNodes = 32;

const text = (length: number) => z.string().max(length);
const Row = z.strictObject({
  shape: z.string().regex(/^[0-9a-f]{32}$/),
  goalHash: z.string().regex(/^[0-9a-f]{64}$/),
  template: text(4000).min(1),
  tokens: z.array(text(300)).max(200),
  lean: text(200),
  mathlib: text(200),
  project: text(200),
  uses: z.int().min(0),
  successes: z.int().min(0),
  seconds: z.number().min(0),
});
const name = text(300).regex(/^[^\s"]+$/);
const PremiseRow = z.strictObject({
  goalHash: z.string().regex(/^[0-9a-f]{64}$/),
  fingerprint: text(200),
  encoder: text(100),
  vector: text(2000).regex(/^[A-Za-z0-9+/=]+$/),
  premises: z.array(name).max(200),
  helped: z.array(name).max(200),
});
const state = z.string().regex(/^[0-9a-f]{32}$/);
const FrontierRow = z.strictObject({
  /** Of a statement; for a hole of a proof, followed by the state of the hole. */
  goalHash: z.string().regex(/^[0-9a-f]{64}(?::[0-9a-f]{32})?$/),
  fingerprint: text(200),
  start: state,
  nodes: z
    .array(z.strictObject({ state, tactics: z.array(text(4000).min(1)).max(200), score: z.number() }))
    .min(1)
    .max(maxNodes),
});
const ArmRow = z.strictObject({
  arm: text(100).regex(/^[\w./-]+$/),
  context: text(200),
  trials: z.int().min(1),
  mean: z.number().min(0).max(1),
});
/** For people: each entry is checked by its own versions. */
const Versions = z.strictObject({
  lean: z.array(text(200)).max(50),
  mathlib: z.array(text(200)).max(50),
  encoder: z.array(text(100)).max(50),
  /** The commit of the project. */
  project: text(100),
});
const Header = z.strictObject({
  format: z.literal(2),
  versions: Versions,
  scripts: z.int().min(0).max(maxScripts),
  premises: z.int().min(0).max(maxGoals),
  frontiers: z.int().min(0).max(maxFrontiers),
  arms: z.int().min(0).max(maxArms),
  address: z.string().regex(/^[0-9a-f]{64}$/),
  signature: text(200).optional(),
});
type Header = z.infer<typeof Header>;

/** Content for which an imported script is skipped: code, and claims without a proof. */
const unwanted =
  /\b(?:run_tac|run_cmd|elab|macro|syntax|unsafe|native_decide|sorry|admit|set_option|open)\b|#/;

/** The caches of one machine. */
export interface Caches {
  readonly scripts: readonly KnownScript[];
  readonly premises: readonly CachedPremises[];
  readonly frontiers: readonly SavedFrontier[];
  readonly arms: readonly ArmRecord[];
}

export interface Bundle extends Caches {
  readonly address: string;
  readonly versions: z.infer<typeof Versions>;
  /** Number of skipped entries. */
  readonly leftOut: number;
}

export function exportBundle(
  { scripts = [], premises = [], frontiers = [], arms = [] }: Partial<Caches>,
  { privateKey, project = '' }: { privateKey?: string | undefined; project?: string | undefined } = {},
): { readonly bytes: Buffer; readonly address: string } {
  const parts = {
    scripts: scripts
      .slice(0, maxScripts)
      .map(({ id: _id, lastUsed: _lastUsed, origin: _origin, ...row }) => row),
    premises: premises.slice(0, maxGoals).map((row) => PremiseRow.parse(row)),
    frontiers: frontiers.slice(0, maxFrontiers).flatMap(frontierRow),
    arms: arms.filter((row) => ArmRow.safeParse(row).success).slice(0, maxArms),
  };
  const lines = Object.values(parts).flatMap((rows) => rows.map((row) => JSON.stringify(row)).sort());
  const address = addressOf(lines);
  const signature =
    privateKey === undefined
      ? {}
      : { signature: sign(null, Buffer.from(address), createPrivateKey(privateKey)).toString('base64') };
  const header: Header = {
    format: 2,
    versions: {
      lean: distinct(scripts.map(({ lean }) => lean)),
      mathlib: distinct(scripts.map(({ mathlib }) => mathlib)),
      encoder: distinct(premises.map(({ encoder }) => encoder)),
      project,
    },
    scripts: parts.scripts.length,
    premises: parts.premises.length,
    frontiers: parts.frontiers.length,
    arms: parts.arms.length,
    address,
    ...signature,
  };
  return { bytes: zstdCompressSync([JSON.stringify(header), ...lines, ''].join('\n')), address };
}

/** Without the printed goals, which are for people; one with text that is too long stays here. */
function frontierRow({ goalHash, fingerprint, start, nodes }: SavedFrontier): z.infer<typeof FrontierRow>[] {
  const some = nodes
    .slice(0, maxNodes)
    .map(({ state: at, tactics, score }) => ({ state: at, tactics, score }));
  const row = FrontierRow.safeParse({ goalHash, fingerprint, start: start.state, nodes: some });
  return row.success ? [row.data] : [];
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort().slice(0, 50);
}

/** With a key, accepts only bundles signed with it. */
export function importBundle(bytes: Uint8Array, publicKey?: string): Bundle {
  const [first = '', ...lines] = unpacked(bytes).split('\n').filter(Boolean);
  const header = Header.safeParse(jsonOrNothing(first)).data;
  const count = header ? header.scripts + header.premises + header.frontiers + header.arms : -1;
  if (!header || count !== lines.length || header.address !== addressOf(lines))
    throw broken('it is incomplete, or from another version of orch');
  if (publicKey !== undefined && !isSigned(header, publicKey))
    throw new UserError('unsigned-bundle', 'the bundle is not signed with this key', 'Nothing was imported.');
  const rows = new Rows(lines);
  const scripts = rows.take(header.scripts, Row, 'a script');
  if (scripts.some(({ successes, uses }) => successes > uses)) throw broken('a script succeeded too often');
  const premises = rows.take(header.premises, PremiseRow, 'a goal with premises');
  const frontiers = rows.take(header.frontiers, FrontierRow, 'where a search stopped');
  const arms = rows.take(header.arms, ArmRow, 'the record of an arm');
  const wanted = scripts.filter(({ template }) => !unwanted.test(template));
  const explored = frontiers.flatMap(({ start, nodes, ...row }) => {
    const usable = nodes.filter(({ tactics }) => tactics.every((tactic) => !unwanted.test(tactic)));
    return usable.length === 0
      ? []
      : [
          {
            ...row,
            start: { state: start, goals: [] },
            nodes: usable.map((node) => ({ ...node, goals: [] })),
          },
        ];
  });
  return {
    address: header.address,
    versions: header.versions,
    premises,
    frontiers: explored,
    arms: arms.map((row) => ({ ...row, trials: Math.min(row.trials, foreignTrials) })),
    leftOut: scripts.length - wanted.length + (frontiers.length - explored.length),
    scripts: wanted.map((row) => ({
      ...row,
      ...modest(row),
      id: scriptId(row),
      lastUsed: 0,
      origin: header.address,
    })),
  };
}

/** Another machine's record of an arm weighs at most as much as this many trials here. */
const foreignTrials = 5;

/** The lines of a bundle, read in order. */
class Rows {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  take<Row>(count: number, schema: z.ZodType<Row>, kind: string): Row[] {
    return this.#lines.slice(this.#at, (this.#at += count)).map((line, index) => {
      const row = schema.safeParse(jsonOrNothing(line));
      if (!row.success) throw broken(`line ${this.#at - count + index + 2} is not ${kind}`);
      return row.data;
    });
  }
}

/** A bundle's own statistics count as one use, so local failures weigh more. */
function modest({
  uses,
  successes,
}: Pick<KnownScript, 'uses' | 'successes'>): Pick<KnownScript, 'uses' | 'successes' | 'seconds'> {
  return { uses: 1, successes: successes * 2 >= uses ? 1 : 0, seconds: 0 };
}

function unpacked(bytes: Uint8Array): string {
  if (bytes.length > maxBytes) throw broken(`it is larger than ${maxBytes / 1e6} MB`);
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: maxUnpacked }).toString('utf8');
  } catch (error) {
    throw broken(messageOf(error));
  }
}

function isSigned({ address, signature }: Header, publicKey: string): boolean {
  if (signature === undefined) return false;
  return verify(null, Buffer.from(address), createPublicKey(publicKey), Buffer.from(signature, 'base64'));
}

function addressOf(lines: readonly string[]): string {
  return sha256(lines.join('\n'));
}

function broken(why: string): UserError {
  return new UserError('bad-bundle', `this is not a bundle of caches: ${why}`, 'Nothing was imported.');
}
