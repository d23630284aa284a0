import { createHash } from 'node:crypto';
import type { Arm, AttemptRun, Outcome, Spent, Strategy } from '../../../core/strategy.ts';
import { Account } from '../../workbench/account.ts';
import type { Workbench } from '../../workbench.ts';
import type { MicroArm } from './arm.ts';
import { closeArm } from './close.ts';
import { combineArm } from './combine.ts';
import { factsOf, type Facts } from './facts.ts';
import { libraryArm } from './library.ts';
import { aesopArm, mathlibArm } from './mathlib.ts';
import { casesArm, inductArm, structureArm } from './plans.ts';
import { premisesIn } from './premises.ts';

/** What a strategy for Lean proposes; not yet a proof. */
export interface Candidate {
  /** `by …`, or the template of the goal with its holes filled. */
  readonly proof: string;
  /** The lemmas that its text names. */
  readonly premises: readonly string[];
}

const microArms: readonly MicroArm[] = [
  closeArm,
  inductArm,
  casesArm,
  structureArm,
  libraryArm,
  combineArm,
  aesopArm,
  mathlibArm,
];

/** Deterministic Lean automation, no models: each arm is a short plan of tactics on a goal that is elaborated once. */
export function microStrategy(): Strategy<Workbench, Candidate> {
  const facts = new WeakMap<Workbench, Facts>();
  return {
    name: 'micro',
    slot: 'light',
    tier: 0,
    budget: { cpu_seconds: 8, heartbeats: 20_000 },
    ready: () => Promise.resolve({ ready: true }),
    arms: (workbench) => microArms.filter((arm) => arm.isFor?.(workbench) ?? true).map(toArm),
    async attempt(workbench, { name }, run) {
      const arm = microArms.find((candidate) => candidate.name === name);
      if (!arm) throw new Error(`there is no arm ${name}`);
      const known = facts.get(workbench) ?? factsOf(workbench);
      facts.set(workbench, known);
      return await attempt(workbench, arm, known, run);
    },
  };
}

async function attempt(
  workbench: Workbench,
  arm: MicroArm,
  facts: Facts,
  run: AttemptRun,
): Promise<Outcome<Candidate>> {
  const account = new Account(run.limits, run.signal);
  let isOurs = false;
  for (const root of workbench.open) {
    const closed = await arm.search({ workbench, account, facts }, root);
    if (closed) isOurs = workbench.close(closed) || isOurs;
    if (account.stopped !== undefined) break;
  }
  const proof = workbench.proof();
  const spent: Spent = {
    cpuSeconds: account.cpuSeconds,
    peakBytes: account.peakBytes,
    tactics: workbench.scripts().flatMap(({ steps }) => steps),
    nextGoals: workbench.open.flatMap(({ goals }) => goals.map(({ target }) => target)),
    premises: proof === undefined ? [] : premisesIn(proof, workbench),
    cacheHits: account.cacheHits,
  };
  if (proof !== undefined && !isOurs)
    return { ...spent, kind: 'cancelled', message: 'another arm was faster' };
  if (proof !== undefined)
    return { ...spent, kind: 'solved', candidate: { proof, premises: spent.premises } };
  const message = account.fault ?? `${workbench.open.length} open`;
  return { ...spent, kind: account.stopped ?? 'failed', message };
}

function toArm({ name, version }: MicroArm): Arm {
  const signature = createHash('sha256').update(`${name} ${version}`).digest('hex').slice(0, 16);
  return { name, signature };
}
