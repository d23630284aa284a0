import { systemClock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { seedFrom } from '../core/rng.ts';
import { type LeanGoal, isLeanGoal } from '../lean/goals/goal.ts';
import type { Claim } from '../lean/gate/gate.ts';
import type { Verdict } from '../lean/gate/verdict.ts';
import type { EventOf } from '../shared/events.ts';
import type { ProofRow } from '../shared/ledger.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { FoundProofs } from '../lean/writing/found-proofs.ts';
import { settingFlags } from '../config/flags.ts';
import { escaped } from '../shared/for-people.ts';
import { ledgerOf } from './ledger.ts';
import { openLean } from './lean.ts';
import { settingsFrom } from './settings.ts';
import { imageFor } from '../lean/project/image-choice.ts';
import { judgeVersion } from '../lean/gate/judge-version.ts';

/** Number of recent runs, as in other commands. */
const runsLookedAt = 50;

export interface AuditOptions {
  readonly ledger?: string;
  readonly sample: number;
  readonly seed: number;
  readonly secondKernel?: true;
}

/** An accepted proof with its goal. */
interface Accepted {
  readonly run: string;
  readonly goal: LeanGoal;
  readonly proof: ProofRow;
}

const isOld = ({ proof }: Accepted): boolean => proof.judge !== judgeVersion();

/** Rejected: the judge that accepted the proof was wrong. Unknown (a limit, another Lean) changes nothing. */
export async function audit(options: AuditOptions): Promise<ExitCode> {
  const settings = settingsFrom(settingFlags({ ...options }));
  await using ledger = await ledgerOf(settings);
  const accepted = await acceptedIn(ledger);
  const old = accepted.filter(isOld);
  const chosen = [
    ...old,
    ...choose(
      accepted.filter((each) => !isOld(each)),
      options,
    ),
  ];
  if (chosen.length === 0) throw new UserError('nothing-to-audit', 'the ledger holds no accepted proof');
  await using lean = await openLean(settings, {
    image: imageFor(...chosen.map(({ goal }) => goal)),
    slots: 1,
  });
  const counts = { accepted: 0, rejected: 0, unknown: 0 };
  const agreed = { accept: 0, refuse: 0, decline: 0 };
  const secondKernel = options.secondKernel ? 'asked' : undefined;
  for (const { run, goal, proof } of chosen) {
    const { preamble, statement, allowAxioms, environment } = goal;
    const question = { preamble, statement, allowAxioms, environment };
    const claim: Claim = { ...question, proof: proof.proof, secondKernel };
    const alone = await lean.gate.check(claim);
    // it was judged with the proofs of theorems that are open in its preamble
    const filled =
      alone.kind === 'sorry' ? proofsOf(accepted, run).filledIn(preamble, goal.place?.file) : undefined;
    const judged = filled === undefined ? alone : await lean.gate.checkAfter(filled, claim);
    const { verdict, message, second_kernel } = judged;
    if (second_kernel) agreed[second_kernel.answer]++;
    counts[verdict]++;
    if (verdict !== 'unknown') await ledger.journal.append([auditOf(run, goal.id, proof, judged, verdict)]);
    if (verdict !== 'accepted')
      process.stdout.write(
        escaped`${verdict}: ${goal.id}, accepted by ${proof.arm} (proof ${proof.seq}): ${message}\n`,
      );
  }
  process.stdout.write(
    `judged ${chosen.length} proofs again (${old.length} of an older judge): ${counts.accepted} accepted, ${counts.rejected} rejected, ${counts.unknown} unknown\n`,
  );
  if (secondKernel)
    process.stdout.write(
      `second kernel: ${agreed.accept} accepted, ${agreed.refuse} refused, ${agreed.decline} declined\n`,
    );
  if (counts.rejected > 0) return ExitCode.notAll;
  return counts.unknown > 0 ? ExitCode.unknown : ExitCode.done;
}

function proofsOf(accepted: readonly Accepted[], wanted: string): FoundProofs {
  const here = accepted.filter(({ run }) => run === wanted);
  return new FoundProofs(here.map(({ goal, proof }) => ({ goal, proof: proof.proof })));
}

function auditOf(
  run: string,
  goal: string,
  { seq }: ProofRow,
  { kind, message, assurance, toolchain, judge, cpu_seconds }: Verdict,
  verdict: 'accepted' | 'rejected',
): EventOf<'proof-audited'> {
  const said = { verdict, kind, message, assurance, toolchain, judge, cpu_seconds };
  return { type: 'proof-audited', run, at: systemClock.date().getTime(), goal, proof: seq, ...said };
}

async function acceptedIn({ views }: Ledger): Promise<Accepted[]> {
  const accepted: Accepted[] = [];
  for (const { run } of await views.runs(runsLookedAt))
    for (const { goal, status } of await views.goalsOf(run)) {
      if (status !== 'solved') continue;
      const detail = await views.goal(run, goal);
      const task = detail?.task;
      if (!isLeanGoal(task)) continue; // a task of another domain
      accepted.push(...(detail?.proofs ?? []).map((proof) => ({ run, goal: task, proof })));
    }
  return accepted;
}

/** A uniform sample of at least one; the same for the same seed. */
function choose(all: readonly Accepted[], { sample, seed }: AuditOptions): Accepted[] {
  const order = all.map((each) => ({ each, key: seedFrom(seed, each.proof.seq) }));
  const shuffled = order.toSorted((one, two) => one.key - two.key).map(({ each }) => each);
  return shuffled.slice(0, Math.ceil(all.length * sample));
}
