import type { LeanOutcome } from './strategy.ts';
import type { Spent } from '../../core/strategy.ts';
import { premisesIn, type ScriptTrace } from '../workbench/candidate.ts';
import type { Bench } from '../search/bench.ts';
import type { Workbench, WorkState } from '../workbench/workbench.ts';

/** Looks for a closed state of one hole. */
export type HoleSearch = (bench: Bench, root: WorkState) => Promise<WorkState | undefined>;

/** If Lean refuses the whole script, the arm searches on; after this many refusals it gives up. */
const maxRefusals = 4;

/** Closes the open holes in turn; if all are closed, the result is a candidate. */
export async function closeHoles(bench: Bench, search: HoleSearch): Promise<LeanOutcome> {
  const { workbench, account } = bench;
  let refusal: string | undefined;
  for (const root of workbench.open) refusal = (await closeHole(bench, search, root)) ?? refusal;
  const proof = workbench.proof();
  if (proof !== undefined && !workbench.wasClosedBy(account))
    return { ...spent(bench, []), kind: 'cancelled', message: 'another arm was faster' };
  if (proof !== undefined) {
    const premises = premisesIn(proof, workbench);
    const candidate = {
      proof,
      premises,
      exported: workbench.exportOf(proof),
      given: workbench.givenOf(proof),
    };
    return { ...spent(bench, premises), kind: 'solved', candidate };
  }
  const message = account.fault ?? refusal ?? openMessage(workbench);
  return { ...spent(bench, []), kind: account.stopped ?? 'failed', message };
}

/** Why the last script for this hole was refused, if any. */
async function closeHole(bench: Bench, search: HoleSearch, root: WorkState): Promise<string | undefined> {
  let refusal: string | undefined;
  for (let refusals = 0; refusals < maxRefusals && bench.account.stopped === undefined; refusals++) {
    const found = await search(bench, root);
    if (!found) return refusal;
    const refused = await bench.workbench.close(found, bench.account);
    if (!refused) return undefined;
    refusal = refused.message;
  }
  return refusal;
}

function openMessage({ open }: Workbench): string {
  const [first] = open.flatMap(({ goals }) => goals);
  const holes = open.length === 1 ? 'the goal is' : `${open.length} goals are`;
  return `${holes} still open${first ? `: ⊢ ${first.target}` : ''}`;
}

function spent({ workbench, account }: Bench, premises: readonly string[]): Spent & ScriptTrace {
  return {
    cpuSeconds: account.cpuSeconds,
    workSeconds: account.workSeconds,
    peakBytes: account.peakBytes,
    tactics: workbench.scripts().flatMap(({ steps }) => steps),
    nextGoals: workbench.open.flatMap(({ goals }) => goals.map(({ target }) => target)),
    premises,
    cacheHits: account.cacheHits,
  };
}
