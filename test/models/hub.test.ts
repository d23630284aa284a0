import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { examineModels } from '../../src/models/doctor.ts';
import { fetchWeights } from '../../src/models/hub.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { writeTinyModel } from './onnx/tiny-model.ts';

interface Hub {
  readonly endpoint: string;
  /** The routes that were asked, in order. */
  readonly asked: string[];
}

/** The hub's two routes, with the files of a folder below `onnx/` and a README beside them. */
async function hubWith(folder: string, claimed: Readonly<Record<string, string>> = {}): Promise<Hub> {
  const asked: string[] = [];
  const files = readdirSync(folder);
  const server = createServer((request, response) => {
    const route = request.url ?? '';
    asked.push(route);
    const file = /^\/ada\/prover\/resolve\/4f2a\/onnx\/(.+)$/.exec(route)?.[1];
    if (route === '/api/models/ada/prover/revision/main?blobs=true') {
      const siblings = files.map((name) => {
        const sha256 = claimed[name] ?? hashOf(path.join(folder, name));
        return { rfilename: `onnx/${name}`, ...(name.endsWith('.onnx') && { lfs: { sha256 } }) };
      });
      response.end(JSON.stringify({ sha: '4f2a', siblings: [{ rfilename: 'README.md' }, ...siblings] }));
    } else if (route.startsWith('/api/models/ada/torch/'))
      response.end(JSON.stringify({ sha: '1', siblings: [{ rfilename: 'model.safetensors' }] }));
    else if (file !== undefined && files.includes(file)) {
      // the hub sends large files from elsewhere
      response.writeHead(302, { location: `/elsewhere/${file}` }).end();
    } else if (route.startsWith('/elsewhere/'))
      response.end(readFileSync(path.join(folder, path.basename(route))));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, asked };
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

test('weights are downloaded once, used in place, and always checked by hash', async () => {
  const [there, here] = [temporaryFolder(), temporaryFolder()];
  writeTinyModel(there);
  const { endpoint, asked } = await hubWith(there);
  const fetched = await fetchWeights('ada/prover', here, { endpoint });
  if (!fetched.ok) throw new Error(fetched.error.message);
  const { folder, files, revision } = fetched.value;
  expect(revision).toBe('4f2a');
  expect(files).toEqual(expect.arrayContaining(['encoder_model.onnx', 'decoder_model.onnx']));
  expect(await examineModels({ model: `onnx:${folder}` })).toMatchObject([{}, { state: 'ok' }]);

  const before = asked.filter((route) => route.endsWith('.onnx')).length;
  expect((await fetchWeights('ada/prover', here, { endpoint })).ok).toBe(true);
  expect(asked.filter((route) => route.endsWith('.onnx'))).toHaveLength(before);

  const decoder = path.join(folder, 'decoder_model.onnx');
  const bytes = readFileSync(decoder);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(decoder, bytes);
  expect((await examineModels({ model: `onnx:${folder}` }))[1]).toMatchObject({
    state: 'broken',
    detail: expect.stringMatching(/not as downloaded: .*decoder_model\.onnx$/),
  });
  expect((await fetchWeights('ada/prover', here, { endpoint })).ok).toBe(true);
  expect((await examineModels({ model: `onnx:${folder}` }))[1]).toMatchObject({ state: 'ok' });
});

test('a file whose hash differs from the hub’s is not kept', async () => {
  const [there, here] = [temporaryFolder(), temporaryFolder()];
  writeTinyModel(there);
  const { endpoint } = await hubWith(there, { 'encoder_model.onnx': '0'.repeat(64) });
  const fetched = await fetchWeights('ada/prover', here, { endpoint });
  expect(fetched).toMatchObject({
    ok: false,
    error: { kind: 'not-fetched', message: expect.stringMatching(/but the hub lists 000/) },
  });
  expect(readdirSync(path.join(here, 'ada--prover'))).not.toContain('encoder_model.onnx');
});

test('without a download the export is explained', async () => {
  const there = temporaryFolder();
  const { endpoint } = await hubWith(there);
  expect(await fetchWeights('ada/torch', there, { endpoint })).toMatchObject({
    error: { kind: 'not-exported', fix: expect.stringMatching(/optimum-cli export onnx --model ada\/torch/) },
  });
  expect(await fetchWeights('ada/nowhere', there, { endpoint })).toMatchObject({
    error: {
      kind: 'not-fetched',
      message: expect.stringMatching(/answers 404/),
      fix: expect.stringMatching(/optimum-cli export onnx/),
    },
  });
  expect(await fetchWeights('reprover-retriever', there, { endpoint: 'http://127.0.0.1:9' })).toMatchObject({
    error: { kind: 'not-fetched', fix: expect.stringMatching(/kaiyuy\/leandojo-lean4-retriever-byt5-small/) },
  });
  expect(await fetchWeights('a/b/c', there, { endpoint })).toMatchObject({
    error: { kind: 'no-such-model' },
  });
});
