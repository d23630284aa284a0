import { success, type Result } from '../../../core/result.ts';
import type { Premise } from '../../../store/premises/premise.ts';
import type { TacticSuggestion } from '../../../models/tactic-server.ts';
import { withPremises } from '../../premises/facts.ts';
import type { Bench } from '../../search/bench.ts';
import { proposed } from '../../search/proposed.ts';
import type { Workbench, WorkState } from '../../workbench/workbench.ts';
import type { HoleSearch } from '../close-holes.ts';
import { modelSearch } from './model-search.ts';

/**
 * Lean Copilot's own tactics, if a project imports it. Their results are only proposals: the scripts that they print
 * are run again on their own, and the gate sees only those.
 */
export function hasLeanCopilot({ tactics }: Pick<Workbench, 'tactics'>): boolean {
  return tactics.has('search_proof');
}

/**
 * Aesop with the model's tactics, with limits; then the plain tactic, for versions in which the model's rule has
 * another name.
 */
const wholeProofs = [
  'aesop? (config := { maxRuleApplications := 80, maxRuleApplicationDepth := 20 }) (add 100% LeanCopilot.tacGen)',
  'search_proof',
];
const prefixes = ['', 'simp', 'rw', 'aesop'];
const mostSuggestions = 8;
const premiseCount = 12;
/** A model takes seconds, which heartbeats do not count. */
const limits = { heartbeats: 100_000, until: 'end' } as const;

/** Tries a whole proof, then single steps suggested by the model, then our own search with the premises it selects. */
export function leanCopilotSearch(ownSearch: HoleSearch): HoleSearch {
  const stepwise = modelSearch(suggestedTactics);
  return async (bench, root) =>
    (await wholeProof(bench, root)) ??
    (await stepwise(bench, root)) ??
    (await ownSearch(await withSelected(bench, root), root));
}

async function wholeProof(bench: Bench, root: WorkState): Promise<WorkState | undefined> {
  const { workbench, account } = bench;
  for (const asked of await workbench.run(root, wholeProofs, account, limits)) {
    if (asked.kind !== 'state') continue;
    const replayed = await workbench.run(root, proposed(bench, asked.state), account);
    for (const answer of replayed) if (answer.kind === 'state' && answer.state.closed) return answer.state;
  }
  return undefined;
}

async function suggestedTactics(
  bench: Bench,
  state: WorkState,
): Promise<Result<readonly TacticSuggestion[]>> {
  const questions = prefixes.map((prefix) => `suggest_tactics ${JSON.stringify(prefix)}`);
  const answers = await bench.workbench.run(state, questions, bench.account, limits);
  const tactics = answers.flatMap((answer) =>
    answer.kind === 'state' ? proposed(bench, answer.state).slice(0, mostSuggestions) : [],
  );
  // there are no scores, only an order
  return success([...new Set(tactics)].map((output, index) => ({ output, score: 1 / (1 + index) })));
}

async function withSelected(bench: Bench, root: WorkState): Promise<Bench> {
  const question = `set_option LeanCopilot.select_premises.k ${premiseCount} in select_premises`;
  const answers = await bench.workbench.run(root, [question, 'select_premises'], bench.account, limits);
  const names = answers.flatMap((answer) =>
    answer.kind === 'state' ? answer.state.messages.flatMap(({ text }) => premisesIn(text)) : [],
  );
  const found = [...new Set(names)].slice(0, premiseCount).map((name): Premise => ({
    name,
    kind: 'theorem',
    module: '',
    symbols: [],
  }));
  return { ...bench, facts: withPremises(bench.facts, found) };
}

/** Each premise is on its own line, before its type; those that need another import are skipped. */
function premisesIn(text: string): string[] {
  return [...text.matchAll(/^(\S+) : /gm)].map(([, name = '']) => name);
}
