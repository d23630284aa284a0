import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';

/** Half a minute of work that no answer waits for: machine code for faster starts. */
test('the tour ends without waiting for the machine code, which a background process saves before it exits', async () => {
  const env = { ORCH_CACHE_DIR: temporaryFolder() };
  const isSaved = async (): Promise<unknown> => {
    const { stdout } = await orch(['lean', 'status', '--json'], { env });
    const { stages } = JSON.parse(stdout) as { stages: { name: string; ready: boolean }[] };
    return stages.find(({ name }) => name === 'code')?.ready;
  };
  const { code, stdout } = await orch(['tour'], { env });
  expect(code).toBe(0);
  expect(stdout).toContain('is ready after');
  expect(await isSaved()).toBe(false);
  await expect.poll(isSaved, { interval: 1000 }).toBe(true);
  // the process still checks a proof; test/helpers/no-leftovers.ts fails the test if it stays
});
