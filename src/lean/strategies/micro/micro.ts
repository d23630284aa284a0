import type { Arm, Outcome, Spent, Strategy } from '../../../core/strategy.ts';
import { sha256 } from '../../fingerprint.ts';
import { Account } from '../../workbench/account.ts';
import type { Workbench, WorkState } from '../../workbench.ts';
import type { Bench } from '../../search/bench.ts';
import type { MicroArm } from './arm.ts';
import { closeArm } from './close.ts';
import { closers } from '../../search/closers.ts';
import { factsOf, type Facts } from '../../premises/facts.ts';
import { libraryArm } from './library.ts';
import { aesopArm, mathlibArm } from './mathlib.ts';
import { casesArm, inductArm } from './plans.ts';
import { searchArm } from './search.ts';
import { premisesIn, type Candidate } from '../../candidate.ts';
import { finish } from '../../search/depth-first.ts';
import { withUsable } from '../../premises/usable.ts';

const microArms: readonly MicroArm[] = [
  closeArm,
  inductArm,
  casesArm,
  searchArm,
  libraryArm,
  aesopArm,
  mathlibArm,
];

/** Deterministic Lean automation, no models: each arm is a short plan of tactics on a goal that is elaborated once. */
export function microStrategy(cpuSeconds = 8): Strategy<Workbench, Candidate> {
  const facts = new WeakMap<Workbench, Facts>();
  return {
    name: 'micro',
    slot: 'light',
    tier: 0,
    budget: { cpu_seconds: cpuSeconds, heartbeats: 20_000 },
    ready: () => Promise.resolve({ ready: true }),
    arms: (workbench) => microArms.filter((arm) => arm.isFor?.(workbench) ?? true).map(toArm),
    async attempt(workbench, { name }, run) {
      const arm = microArms.find((candidate) => candidate.name === name);
      if (!arm) throw new Error(`there is no arm ${name}`);
      const account = new Account(run);
      const known = facts.get(workbench) ?? (await prepare(workbench, account, arm));
      if (account.stopped === undefined) facts.set(workbench, known);
      return await attempt({ workbench, account, facts: known }, arm);
    },
  };
}

/** In the arm that goes first, the cheapest closers come before anything else is asked: most easy goals need no facts. */
async function prepare(workbench: Workbench, account: Account, { stage }: MicroArm): Promise<Facts> {
  const facts = factsOf(workbench);
  const bench = { workbench, account, facts };
  for (const root of stage === 0 ? workbench.open : []) {
    const closed = await finish(bench, root, closers(facts).slice(0, 1));
    if (closed) await workbench.close(closed, account);
  }
  return workbench.open.length === 0 ? facts : await withUsable(bench, facts);
}

/** A script that Lean refuses as a whole sends the arm back to look on; more often than this it is not worth it. */
const maxRefusals = 4;

async function attempt(bench: Bench, arm: MicroArm): Promise<Outcome<Candidate>> {
  const { workbench, account } = bench;
  let refusal: string | undefined;
  for (const root of workbench.open) refusal = (await closeHole(bench, arm, root)) ?? refusal;
  const proof = workbench.proof();
  if (proof !== undefined && !workbench.wasClosedBy(account))
    return { ...spent(bench, []), kind: 'cancelled', message: 'another arm was faster' };
  if (proof !== undefined) {
    const premises = premisesIn(proof, workbench);
    const candidate = { proof, premises, exported: workbench.exportOf(proof) };
    return { ...spent(bench, premises), kind: 'solved', candidate };
  }
  const message = account.fault ?? refusal ?? openMessage(workbench);
  return { ...spent(bench, []), kind: account.stopped ?? 'failed', message };
}

/** Why the last script for this hole was refused, if one was. */
async function closeHole(bench: Bench, arm: MicroArm, root: WorkState): Promise<string | undefined> {
  let refusal: string | undefined;
  for (let refusals = 0; refusals < maxRefusals && bench.account.stopped === undefined; refusals++) {
    const found = await arm.search(bench, root);
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

function spent({ workbench, account }: Bench, premises: readonly string[]): Spent {
  return {
    cpuSeconds: account.cpuSeconds,
    peakBytes: account.peakBytes,
    tactics: workbench.scripts().flatMap(({ steps }) => steps),
    nextGoals: workbench.open.flatMap(({ goals }) => goals.map(({ target }) => target)),
    premises,
    cacheHits: 0,
  };
}

function toArm({ name, version, stage }: MicroArm): Arm {
  const signature = sha256(`${name} ${version}`).slice(0, 16);
  return { name, signature, stage };
}
