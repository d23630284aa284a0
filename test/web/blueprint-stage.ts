import { cpSync } from 'node:fs';
import path from 'node:path';
import { openLedger } from '../../src/store/open.ts';
import { sharedChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { Story } from '../store/ledger/story.ts';
import { HandClock } from '../store/ledger/temporary.ts';
import { openStage, type Stage } from './stage.ts';

/** A goal of the blueprint that is shown. */
export const blueprintGoal = 'Sorting.insert_comm';

/** The page of a project with a blueprint, and a run that has not proved one of its goals. */
export async function blueprintStage(): Promise<Stage> {
  const folder = temporaryFolder();
  cpSync('examples/sorting/blueprint', path.join(folder, 'blueprint'), { recursive: true });
  const file = path.join(folder, '.orch', 'ledger.db');
  const clock = new HandClock();
  await using ledger = await openLedger(file, { clock });
  await ledger.journal.append(
    new Story().begin().add(blueprintGoal).examine(blueprintGoal).closeGoal(blueprintGoal, false).end()
      .events,
  );
  return await openStage(file, clock, { browser: await sharedChromium() });
}
