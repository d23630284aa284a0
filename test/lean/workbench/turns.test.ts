import { expect, test } from 'vitest';
import { Turns } from '../../../src/lean/workbench/turns.ts';

test('the lowest turn number is next, and only one runs at a time', async () => {
  const turns = new Turns();
  const spent = { cheap: 0, expensive: 0 };
  const served: string[] = [];
  let busy = 0;
  const ask = async (name: 'cheap' | 'expensive', cost: number): Promise<void> => {
    await turns.take(
      () => spent[name],
      async () => {
        expect(++busy).toBe(1);
        served.push(name);
        await Promise.resolve();
        spent[name] += cost;
        busy--;
      },
    );
  };
  const all = async (name: 'cheap' | 'expensive', cost: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) await ask(name, cost);
  };
  await Promise.all([all('expensive', 10, 2), all('cheap', 1, 8)]);
  expect(served.slice(0, 9)).toEqual(['expensive', ...Array.from({ length: 8 }, () => 'cheap')]);
  expect(served).toHaveLength(10);
});

test('a failure releases its turn', async () => {
  const turns = new Turns();
  const failing = turns.take(
    () => 0,
    async () => await Promise.reject(new Error('no')),
  );
  const next = turns.take(
    () => 0,
    async () => await Promise.resolve('served'),
  );
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('served');
});
