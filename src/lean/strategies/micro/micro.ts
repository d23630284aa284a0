import type { LeanOutcome, LeanStrategy } from '../strategy.ts';
import type { Arm, AttemptRun } from '../../../core/strategy.ts';
import { minimise } from '../../improve/polish/minimise.ts';
import { sha256 } from '../../../core/sha256.ts';
import { WorkAccount } from '../../workbench/account.ts';
import type { Workbench } from '../../workbench/workbench.ts';
import type { Bench } from '../../search/bench.ts';
import { closeHoles } from '../close-holes.ts';
import type { StrategyParts } from '../parts.ts';
import type { MicroArm } from './arm.ts';
import { closeArm } from './close.ts';
import { closers } from '../../search/closers.ts';
import { factsOf, factsWithOpen, type Facts } from '../../premises/facts.ts';
import { equationsArm } from './equations.ts';
import { givenArm } from './given.ts';
import { libraryArm } from './library.ts';
import { aesopArm, mathlibArm } from './mathlib.ts';
import { relateArm } from './relate.ts';
import { searchArm } from './search.ts';
import { finish } from '../../search/finish.ts';
import { withUsable } from '../../search/usable-premises.ts';

const microArms: readonly MicroArm[] = [
  closeArm,
  givenArm,
  equationsArm,
  relateArm,
  libraryArm,
  searchArm,
  aesopArm,
  mathlibArm,
];

/** Deterministic Lean automation without models: each arm is a short plan of tactics on a goal that is elaborated once. */
export function microStrategy({
  budget,
  memory,
  premises,
}: Pick<StrategyParts, 'budget' | 'memory' | 'premises'>): LeanStrategy {
  const facts = new WeakMap<Workbench, Facts>();
  return {
    name: 'micro',
    slot: 'light',
    tier: 0,
    budget,
    ready: () => Promise.resolve({ ready: true }),
    arms: (workbench) =>
      microArms.filter((arm) => arm.isFor?.(workbench) ?? true).map((arm) => toArm(arm, workbench)),
    async attempt(workbench, { name }, run) {
      const arm = microArms.find((candidate) => candidate.name === name);
      if (!arm) throw new Error(`no arm ${name}`);
      const account = new WorkAccount(run);
      const known =
        (arm.assumes ? undefined : facts.get(workbench)) ?? (await prepare(workbench, account, arm));
      if (account.stopped === undefined && !arm.assumes) facts.set(workbench, known);
      const bench: Bench = {
        workbench,
        account,
        facts: known,
        memory,
        premises: premises?.askedBy(workbench, account),
      };
      return await withNeededNames(await closeHoles(bench, arm.search), workbench, run);
    },
  };
}

const simplifyLimits = { cpu_seconds: 3, heartbeats: 40_000 };

/** A proof from open theorems is simplified before it is judged, so that it names only those that it needs. */
async function withNeededNames(
  outcome: LeanOutcome,
  workbench: Workbench,
  run: AttemptRun,
): Promise<LeanOutcome> {
  if (outcome.kind !== 'solved' || !outcome.candidate.given?.length) return outcome;
  const { given } = outcome.candidate;
  const { candidate, ...effort } = await minimise(workbench, outcome.candidate, {
    ...run,
    limits: simplifyLimits,
  });
  return {
    ...outcome,
    candidate: { ...candidate, given },
    cpuSeconds: outcome.cpuSeconds + effort.cpuSeconds,
    workSeconds: (outcome.workSeconds ?? 0) + effort.workSeconds,
    peakBytes: Math.max(outcome.peakBytes, effort.peakBytes),
  };
}

/** The first arm tries the cheapest closers before it looks up facts, because most easy goals need none. */
async function prepare(
  workbench: Workbench,
  account: WorkAccount,
  { stage, assumes }: MicroArm,
): Promise<Facts> {
  const facts = assumes ? factsWithOpen(workbench) : factsOf(workbench);
  const bench = { workbench, account, facts };
  for (const root of stage === 0 ? workbench.open : []) {
    const closed = await finish(bench, root, closers(facts).slice(0, 1));
    if (closed) await workbench.close(closed, account);
  }
  return workbench.open.length === 0 ? facts : await withUsable(bench, facts);
}

function toArm({ name, version, stage, budget, assumes }: MicroArm, { given }: Workbench): Arm {
  const open = assumes ? [...(given?.theorems.values() ?? [])].toSorted().join(' ') : '';
  const signature = sha256(`${name} ${version} ${open}`.trim()).slice(0, 16);
  return { name, signature, stage, ...(budget && { budget }) };
}
