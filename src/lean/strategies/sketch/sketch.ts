import type { LeanOutcome, LeanStrategy } from '../strategy.ts';
import type { Arm, Readiness } from '../../../core/strategy.ts';
import type { GoalModel } from '../../../models/configured.ts';
import { premisesIn, type Candidate } from '../../workbench/candidate.ts';
import { factsWithOpen } from '../../premises/facts.ts';
import { withUsable } from '../../search/usable-premises.ts';
import type { Bench } from '../../search/bench.ts';
import { WorkAccount } from '../../workbench/account.ts';
import type { WorkState } from '../../workbench/workbench.ts';
import { AskedModel } from '../asked-model.ts';
import { closeHoles } from '../close-holes.ts';
import { RefutedLemmas } from '../../search/refuted-lemmas.ts';
import type { StrategyParts } from '../parts.ts';
import { askForPlan, type NoPlan, promptsVersion } from './conversation.ts';
import { isAtFault, isWorthWork, linesOf, scoreOf, summaryOf } from './report.ts';
import { skeletonOf } from './skeleton.ts';
import { openHoles, walkPlan, withoutFalse, type Walk } from './walk.ts';

/** Increased whenever the handling of plans changes. */
const version = 1;
/** One plan, and up to two revisions after Lean's messages. */
const maxAsks = 3;

/** A goal's plans, kept from one attempt to the next. */
interface Plans {
  /** Plans by hole. */
  readonly walks: Map<number, Walk[]>;
  readonly asks: Map<number, number>;
}

/**
 * Asks a language model for a plan and checks it in Lean; claims that stay open become goals for the other strategies. The
 * model's answers are only proposals, and their cost is limited by the budgets of the goal and the run.
 *
 *     ask ──▶ walk in Lean ──▶ all closed: a candidate
 *      ▲          ├─ faults: ask again with Lean's messages, at most twice
 *      └──────────┘
 *                 └─ holes are left: blocked until tickets bring their proofs, then the script is assembled
 */
export function sketchStrategy({
  budget,
  memory,
  model: given,
  refuted = new RefutedLemmas(),
}: Pick<StrategyParts, 'budget' | 'memory' | 'model' | 'refuted'>): LeanStrategy {
  const plans = new Map<string, Plans>();
  const arm: Arm = {
    name: 'sketch/plan',
    signature: `sketch/plan ${version} ${promptsVersion} ${given?.model.name ?? ''}`,
    stage: 5,
    round: 1,
  };
  return {
    name: 'sketch',
    slot: 'light',
    tier: 1,
    budget,
    ready: async () => readinessOf(given),
    // a hole of a plan gets no plan of its own
    arms: ({ goal }) => (given && goal.topic !== 'lemma' ? [arm] : []),
    async attempt(workbench, _arm, run) {
      if (!given) throw new Error('sketch needs a model');
      const account = new WorkAccount(run);
      const key = `${workbench.goalHash} ${workbench.fingerprint}`;
      const known: Plans = plans.get(key) ?? { walks: new Map(), asks: new Map() };
      plans.set(key, known);
      for (const [hole, walks] of known.walks)
        known.walks.set(
          hole,
          walks.map((walk) => withoutFalse(walk, (claim) => refuted.ofText(workbench.goal, claim))),
        );
      const facts = await withUsable({ workbench, account }, factsWithOpen(workbench));
      const attempt = new Attempt(
        { workbench, account, facts, memory, refuted },
        known,
        new AskedModel(given, workbench),
      );
      return await attempt.outcome();
    },
  };
}

function readinessOf(given: GoalModel | undefined): Readiness {
  if (!given)
    return { ready: false, why: 'no model is named (ORCH_MODEL, or model in orch.toml; docs/MODELS.md)' };
  if (given.model.skill === 'tactics')
    return { ready: false, why: `${given.model.name} proposes single tactics, not plans (docs/MODELS.md)` };
  return { ready: true };
}

class Attempt {
  readonly #bench: Bench;
  readonly #known: Plans;
  readonly #model: AskedModel;
  /** Why the model gave no plan. */
  #failure: NoPlan | undefined;
  readonly #said: string[] = [];

  constructor(bench: Bench, known: Plans, model: AskedModel) {
    this.#bench = bench;
    this.#known = known;
    this.#model = model;
  }

  async outcome(): Promise<LeanOutcome> {
    const found = await closeHoles(this.#bench, async (bench, root) => await this.#search(bench, root));
    const outcome = { ...found, ...this.#model.cost(this.#said) };
    if (outcome.kind !== 'failed') return outcome;
    const worthy = this.#worthWork();
    if (worthy) return { ...outcome, kind: 'blocked', ...worthy };
    // a missing answer is no evidence about the goal
    if (this.#failure?.kind === 'model')
      return { ...outcome, kind: 'timeout', message: this.#failure.message };
    return { ...outcome, message: this.#failure?.message ?? this.#said.at(-1) ?? outcome.message };
  }

  /** Asks for plans for one hole, until one closes it or its holes are worth tickets. */
  async #search(bench: Bench, root: WorkState): Promise<WorkState | undefined> {
    const { workbench, account, facts } = bench;
    const { walks: all, asks } = this.#known;
    const walks = all.get(root.hole) ?? [];
    all.set(root.hole, walks);
    const [goal] = root.goals;
    this.#failure = undefined;
    if (!goal) return undefined;
    while (account.stopped === undefined && (asks.get(root.hole) ?? 0) < maxAsks) {
      const last = walks.at(-1);
      const past = last && { plan: last.plan, words: linesOf(last) };
      const plan = await askForPlan(this.#model, workbench, goal, facts, {
        past,
        signal: account.signal,
      });
      const isAnswered = plan.ok || plan.error.kind === 'answer';
      if (isAnswered) asks.set(root.hole, (asks.get(root.hole) ?? 0) + 1);
      if (!plan.ok) {
        this.#failure = plan.error;
        this.#said.push(plan.error.message);
        return undefined;
      }
      const walk = await walkPlan(bench, root, plan.value);
      if (account.isCut) return undefined;
      walks.push(walk);
      this.#said.push(...linesOf(walk), summaryOf(walk));
      if (walk.closed) return walk.closed;
      if (!isAtFault(walk) && isWorthWork(walk)) return undefined;
    }
    return undefined;
  }

  /** The best plan of the only open hole, if its holes are worth tickets. */
  #worthWork():
    | { lemmas: string[]; message: string; assemble: (proofs: readonly string[]) => Candidate }
    | undefined {
    const { workbench } = this.#bench;
    const [root, ...others] = workbench.open;
    if (!root || others.length > 0) return undefined;
    const [best] = (this.#known.walks.get(root.hole) ?? [])
      .filter(isWorthWork)
      .toSorted((first, second) => scoreOf(second) - scoreOf(first));
    if (!best) return undefined;
    const lemmas = openHoles(best).map(({ lemma }) => lemma.statement);
    const closed = new Map(workbench.scripts().map(({ hole, steps }) => [hole, steps.join('\n')]));
    return {
      lemmas,
      message: summaryOf(best),
      assemble: (proofs) => {
        const proved = lemmas.map((statement, index) => ({ statement, proof: proofs[index] ?? '' }));
        const script = skeletonOf(best, proved);
        const count = Math.max(root.hole + 1, ...[...closed.keys()].map((hole) => hole + 1));
        const scripts = Array.from({ length: count }, (_, hole) => closed.get(hole) ?? script);
        const proof = workbench.assemble(scripts);
        return { proof, premises: premisesIn(proof, workbench) };
      },
    };
  }
}
