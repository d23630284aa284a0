import type { Settings } from '../config/schema.ts';
import { judgeVersion } from '../lean/gate/judge-version.ts';
import { blueprintOf } from '../lean/blueprint/read.ts';
import { stateBlueprint } from '../lean/blueprint/states.ts';
import { stuckGoals } from '../lean/blueprint/stuck.ts';
import type { GoalRow } from '../shared/ledger.ts';
import { lastGoals } from '../store/ledger/last-goals.ts';
import { ledgerIfThere } from './ledger.ts';
import { projectName } from '../lean/project/lake.ts';

/** Goals that earlier runs left open and that block other nodes of the blueprint. */
export async function stuckInLedger(settings: Settings, project: string): Promise<readonly GoalRow[]> {
  await using ledger = await ledgerIfThere(settings);
  if (!ledger) return [];
  const blueprint = blueprintOf(project);
  const rows = await lastGoals(ledger, judgeVersion(), projectName(project));
  return stuckGoals(rows, blueprint && stateBlueprint(blueprint));
}
