import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/folders.ts';
import { call, mcpServers } from './served.ts';

const { serve } = mcpServers();

test('one server has several projects: a call names one, or its file does', async () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  write('one/A.lean', 'theorem first : 1 = 1 := rfl\n');
  write('one/Both.lean', 'theorem inOne : 1 = 1 := rfl\n');
  write('two/B.lean', 'theorem second : 1 = 1 := rfl\n');
  write('two/Both.lean', 'theorem inTwo : 1 = 1 := rfl\n');
  write('three/C.lean', 'theorem third : 1 = 1 := rfl\n');
  const { connect } = await serve(['one', 'two'].map((name) => path.join(folder, name)));
  const client = await connect();
  const ask = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
    await call(client, name, args);
  const outline = async (args: Record<string, unknown>): Promise<unknown> =>
    await ask('lean_file_outline', args);

  expect(await outline({ file_path: 'A.lean' })).toMatchObject({
    project: 'one',
    items: [{ name: 'first' }],
  });
  expect(await outline({ file_path: path.join(folder, 'two', 'B.lean') })).toMatchObject({
    project: 'two',
    items: [{ name: 'second' }],
  });
  expect(await outline({ file_path: 'Both.lean', project: 'two' })).toMatchObject({
    items: [{ name: 'inTwo' }],
  });
  expect(await ask('lean_local_search', { query: 'in', project: path.join(folder, 'one') })).toMatchObject({
    items: [{ name: 'inOne' }],
    total: 1,
  });

  // nothing is guessed, and a project does not lead to the files of another one
  const refused = async (args: Record<string, unknown>, code: string): Promise<void> =>
    expect(await outline(args)).toMatchObject({ error: { code } });
  await refused({ file_path: 'Both.lean' }, 'which-project');
  await refused({ file_path: 'C.lean' }, 'no-file');
  await refused({ file_path: path.join(folder, 'three', 'C.lean') }, 'no-file');
  await refused({ file_path: '../two/B.lean', project: 'one' }, 'foreign-file');
  await refused({ file_path: 'A.lean', project: 'three' }, 'no-project');
  expect(await ask('lean_local_search', { query: 'in' })).toMatchObject({ error: { code: 'which-project' } });

  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining(['orch://stats?project=one', 'orch://stats?project=two']),
  );
  const { contents } = await client.readResource({ uri: 'orch://runs?project=two' });
  expect(contents).toMatchObject([{ text: '[]' }]);
});
