import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { HostFiles } from '../../src/lean/toolchain/embedded/host/files.ts';
import type { Glue } from '../../src/lean/toolchain/embedded/host/runtime.ts';

/**
 * Hostile Lean code can call the module's file functions with any descriptor number. A number that Lean did not get
 * by opening a file must give no access: not to the answer channel, not to a file opened by the host.
 */
const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-descriptors-'));
const secretFile = path.join(folder, 'secret');
const firstDescriptor = 100_000;
const badDescriptor = 8;
const noSpace = 51;

const memory = new ArrayBuffer(2 ** 21);
const bytes = new Uint8Array(memory);
const words = new Uint32Array(memory);
const place = { name: 16, vector: 512, buffer: 1024, result: 2048 };
const files = new HostFiles({ '/mount': folder }, HostFiles.sharedPositions(), () => undefined);
const hostHad = globalThis.orchHost;
let secret = -1;

beforeAll(() => {
  writeFileSync(secretFile, 'secret');
  secret = openSync(secretFile, 'r+');
  const glue = {
    HEAPU8: bytes,
    HEAPU32: words,
    HEAP64: new BigInt64Array(memory),
    UTF8ToString: (at: number) => Buffer.from(bytes.subarray(at, bytes.indexOf(0, at))).toString(),
    writeStat: () => 0,
  } as unknown as Glue;
  globalThis.orchHost = { ...hostHad, glue };
  words.set([place.buffer, 6], place.vector >> 2);
});
afterEach(() => bytes.fill(0, place.buffer));
afterAll(() => {
  globalThis.orchHost = hostHad;
  closeSync(secret);
  rmSync(folder, { recursive: true });
});

const calls = {
  read: (descriptor: number) => files.read(descriptor, place.vector, 1, place.result),
  write: (descriptor: number) => files.write(descriptor, place.vector, 1, place.result),
  seek: (descriptor: number) => files.seek(descriptor, 0, 0, place.result),
  close: (descriptor: number) => files.close(descriptor),
};

test.for(Object.entries(calls))('%s of a descriptor that Lean did not open is refused', ([, call]) => {
  const forged = [0, 1, 2, 3, 4, secret, 8191, 8192, -1, 1e9, Number.NaN];
  for (const number of forged.map((real) => real + firstDescriptor).filter((one) => one >= firstDescriptor))
    expect(call(number)).toBe(badDescriptor);
  expect(Buffer.from(bytes.subarray(place.buffer, place.buffer + 6)).toString('latin1')).not.toBe('secret');
  expect(readFileSync(secretFile, 'utf8')).toBe('secret');
});

test('a descriptor that Lean has closed cannot be used again', () => {
  bytes.set(Buffer.from('/mount/secret\0'), place.name);
  const opened = files.openat(-100, place.name, 0) ?? -1;
  expect(opened).toBeGreaterThan(firstDescriptor);
  expect(calls.read(opened)).toBe(0);
  expect(calls.close(opened)).toBe(0);
  expect(calls.read(opened)).toBe(badDescriptor);
});

test('only the output can be opened for writing, and no path leaves a mount', () => {
  bytes.set(Buffer.from('/mount/secret\0'), place.name);
  expect(files.openat(-100, place.name, 2)).toBeLessThan(0);
  bytes.set(Buffer.from('/mount/../etc/passwd\0'), place.name);
  expect(files.openat(-100, place.name, 0)).toBeUndefined();
});

test('writes of Lean to disk stop at a limit', () => {
  const output = path.join(folder, 'output');
  mkdirSync(output);
  const budgeted = new HostFiles({ '/lean/output': output }, HostFiles.sharedPositions(), () => undefined);
  bytes.set(Buffer.from('/lean/output/file\0'), place.name);
  const create = 1 | 64;
  const opened = budgeted.openat(-100, place.name, create) ?? -1;
  expect(opened).toBeGreaterThan(firstDescriptor);
  words.set([2 ** 20, 2 ** 20], place.vector >> 2);
  // the same megabyte, written over and over
  const write = (): number | undefined => {
    budgeted.seek(opened, 0, 0, place.result);
    return budgeted.write(opened, place.vector, 1, place.result);
  };
  let written = 0;
  while (written < 3000 && write() === 0) written++;
  expect(written).toBe(2 ** 11 - 1);
  expect(write()).toBe(noSpace);
  expect(budgeted.close(opened)).toBe(0);
});
