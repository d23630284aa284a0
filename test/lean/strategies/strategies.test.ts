import { expect, test } from 'vitest';
import { loadSettings } from '../../../src/config/load.ts';
import { chooseStrategies } from '../../../src/lean/strategies/strategies.ts';
import type { SharedParts } from '../../../src/lean/strategies/parts.ts';
import type { Workbench } from '../../../src/lean/workbench/workbench.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

async function microWith(environment: Record<string, string>) {
  const settings = loadSettings({ folder: temporaryFolder(), environment });
  const { ready } = await chooseStrategies(['micro'], { settings } as SharedParts);
  const [micro] = ready;
  const arms = micro?.arms({ tactics: new Set<string>(), descriptions: [] } as unknown as Workbench);
  return { budget: micro?.budget, relate: arms?.find(({ name }) => name === 'micro/relate')?.budget };
}

test('a budget multiplies the limits of a strategy and of its arms', async () => {
  const usual = await microWith({});
  const double = await microWith({ ORCH_BUDGETS: 'micro:2' });
  expect(double.budget?.cpu_seconds).toBe(2 * (usual.budget?.cpu_seconds ?? 0));
  expect(double.relate?.heartbeats).toBe(2 * (usual.relate?.heartbeats ?? 0));
});
