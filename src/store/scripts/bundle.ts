import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import * as z from 'zod';
import { UserError, messageOf } from '../../core/errors.ts';
import type { CachedPremises } from '../ledger/search-memory.ts';
import { scriptId, type KnownScript } from './script-cache.ts';

/**
 * Scripts as a file for other machines: zstd-compressed text with a header line and one script per line, sorted, so that equal
 * scripts give equal bytes. Its address is the SHA-256 of the lines; a signature (Ed25519) is over the address.
 *
 * Nothing in a bundle is trusted: sizes are limited before unpacking, every line is checked, addresses are recomputed, and
 * foreign statistics count as one use. The gate judges the scripts themselves.
 */
export const maxBytes = 32e6;
const maxUnpacked = 128e6;
const maxScripts = 20_000;
const maxGoals = 5000;

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
const Header = z.strictObject({
  format: z.literal(1),
  scripts: z.int().min(0).max(maxScripts),
  /** Goals with their premises, after the scripts. */
  premises: z.int().min(0).max(maxGoals).default(0),
  address: z.string().regex(/^[0-9a-f]{64}$/),
  signature: text(200).optional(),
});

/** Content for which an imported script is skipped: code, and claims without a proof. */
const unwanted =
  /\b(?:run_tac|run_cmd|elab|macro|syntax|unsafe|native_decide|sorry|admit|set_option|open)\b|#/;

export interface Bundle {
  readonly address: string;
  readonly scripts: readonly KnownScript[];
  readonly premises: readonly CachedPremises[];
  /** Number of skipped lines. */
  readonly leftOut: number;
}

export function exportBundle(
  scripts: readonly KnownScript[],
  {
    privateKey,
    premises = [],
  }: { privateKey?: string | undefined; premises?: readonly CachedPremises[] } = {},
): { readonly bytes: Buffer; readonly address: string } {
  const lines = scripts
    .map(({ id: _id, lastUsed: _lastUsed, origin: _origin, ...row }) => JSON.stringify(row))
    .sort();
  lines.push(...premises.map((row) => JSON.stringify(PremiseRow.parse(row))).sort());
  const address = addressOf(lines);
  const signature =
    privateKey === undefined
      ? {}
      : { signature: sign(null, Buffer.from(address), createPrivateKey(privateKey)).toString('base64') };
  const counts = { scripts: scripts.length, ...(premises.length > 0 && { premises: premises.length }) };
  const header = JSON.stringify({ format: 1, ...counts, address, ...signature });
  return { bytes: zstdCompressSync([header, ...lines, ''].join('\n')), address };
}

/** With a key, accepts only bundles signed with it. */
export function importBundle(bytes: Uint8Array, publicKey?: string): Bundle {
  const [first = '', ...lines] = unpacked(bytes).split('\n').filter(Boolean);
  const header = Header.safeParse(parsed(first)).data;
  if (!header || header.scripts + header.premises !== lines.length || header.address !== addressOf(lines))
    throw broken('it is incomplete');
  if (publicKey !== undefined && !isSigned(header, publicKey))
    throw new UserError('unsigned-bundle', 'the bundle is not signed with this key', 'Nothing was imported.');
  const premises = lines.slice(header.scripts).map((line, index) => {
    const row = PremiseRow.safeParse(parsed(line)).data;
    if (!row) throw broken(`line ${header.scripts + index + 2} is not a goal with premises`);
    return row;
  });
  const rows = lines.slice(0, header.scripts).map((line, index) => {
    const row = Row.safeParse(parsed(line)).data;
    if (!row || row.successes > row.uses) throw broken(`line ${index + 2} is not a script`);
    return row;
  });
  const wanted = rows.filter(({ template }) => !unwanted.test(template));
  return {
    address: header.address,
    premises,
    leftOut: rows.length - wanted.length,
    scripts: wanted.map((row) => ({
      ...row,
      ...modest(row),
      id: scriptId(row),
      lastUsed: 0,
      origin: header.address,
    })),
  };
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

function isSigned({ address, signature }: z.infer<typeof Header>, publicKey: string): boolean {
  if (signature === undefined) return false;
  return verify(null, Buffer.from(address), createPublicKey(publicKey), Buffer.from(signature, 'base64'));
}

function addressOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function broken(why: string): UserError {
  return new UserError('bad-bundle', `this is not a bundle of scripts: ${why}`, 'Nothing was imported.');
}
