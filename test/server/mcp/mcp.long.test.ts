import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { open } from '../../../src/app/orch.ts';
import { deskFor } from '../../../src/server/mcp/mcp.ts';
import { serveStdio } from '../../../src/server/mcp/stdio.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

test('an answer never uses an old version of a changed module', async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  write('lakefile.toml', 'name = "demo"\n[[lean_lib]]\nname = "Demo"\n[[lean_lib]]\nname = "Base"\n');
  write('Base.lean', 'def answer : Nat := 42\n');
  write('Demo.lean', 'import Base\ntheorem t : answer = 42 := rfl\n');
  await using orch = await open({
    project: folder,
    settings: { lean: 'embedded', num_procs: 1, ledger: path.join(folder, 'ledger.db') },
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = serveStdio(deskFor(orch, folder, systemClock), 600, input, output);
  const answers = output[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const verdict = async (id: number): Promise<string> => {
    const params = { name: 'lean_verify', arguments: { file_path: 'Demo.lean', theorem_name: 't' } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
    const { value } = await answers.next();
    return String(value);
  };
  expect(await verdict(1)).toContain('"verdict":"accepted"');
  write('Base.lean', 'def answer : Nat := 41\n');
  expect(await verdict(2)).toContain('"verdict":"rejected"');
  input.end();
  await ended;
});
