import { expect, test } from 'vitest';
import { loadSettings } from '../../../src/config/load.ts';
import { chooseStrategies } from '../../../src/lean/strategies/strategies.ts';
import type { SharedParts } from '../../../src/lean/strategies/parts.ts';
import type { Workbench } from '../../../src/lean/workbench/workbench.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

test('a budget multiplies the limits of a strategy and of its arms', async () => {
  const choose = async (environment: Record<string, string>) => {
    const settings = loadSettings({ folder: temporaryFolder(), environment });
    const { ready } = await chooseStrategies(['micro'], { settings } as SharedParts);
    return ready[0];
  };
  const arm = (strategy: Awaited<ReturnType<typeof choose>>) =>
    strategy
      ?.arms({ tactics: new Set<string>() } as unknown as Workbench)
      .find(({ name }) => name === 'micro/relate')?.budget;
  const usual = await choose({});
  const double = await choose({ ORCH_BUDGETS: 'micro:2' });
  expect(double?.budget.cpu_seconds).toBe(2 * (usual?.budget.cpu_seconds ?? 0));
  expect(arm(double)?.heartbeats).toBe(2 * (arm(usual)?.heartbeats ?? 0));
});
