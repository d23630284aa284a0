import type { ControlAccepted } from '../shared/api.ts';
import { LedgerConflict } from '../store/ledger/ledger.ts';
import type { LedgerFile } from './ledger-file.ts';
import { Problem } from './problems.ts';
import type { CheckedControl } from './schemas/requests.ts';
import { knownRun, summaryOfRun } from './views.ts';

/** Writes a request into the ledger, where the run finds it, also from another process. */
export async function requestControl(
  file: LedgerFile,
  body: CheckedControl,
  now: number,
): Promise<ControlAccepted> {
  const ledger = await file.read();
  const { run, state } = await summaryOfRun(ledger, await knownRun(ledger, body.run), now);
  if (state !== 'live')
    throw new Problem(
      409,
      'run-not-live',
      state === 'finished' ? `run ${run} has ended` : `run ${run} no longer responds`,
      'orch resume continues with its open goals.',
    );
  const goal = 'goal' in body ? body.goal : null;
  if (goal !== null && !(await ledger.views.goal(run, goal)))
    throw new Problem(404, 'no-goal', `run ${run} has no goal ${goal}`);
  const value = 'priority' in body ? body.priority : null;
  try {
    return { seq: await file.request(run, { action: body.action, goal, value }), run, action: body.action };
  } catch (error) {
    // the run has just ended
    if (error instanceof LedgerConflict)
      throw new Problem(409, 'run-not-live', `run ${run}: ${error.message}`);
    throw error;
  }
}
