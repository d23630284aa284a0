import type { Result } from '../../../core/result.ts';
import type { TacticSuggestion } from '../../../models/tactic-server.ts';
import type { Bench } from '../../search/bench.ts';
import type { WorkState } from '../../workbench/workbench.ts';
import type { HoleSearch } from '../close-holes.ts';

/** A model's proposals for a state, or why there are none. */
export type AskTactics = (bench: Bench, state: WorkState) => Promise<Result<readonly TacticSuggestion[]>>;

/** Maximum number of states sent to a model in one search; each may take seconds on a GPU. */
const maxAsked = 40;
const maxDepth = 12;

interface Waiting {
  readonly state: WorkState;
  /** Sum of the logarithms of the scores on the path; higher ones come first. */
  readonly belief: number;
}

/** Best-first search over a model's proposals; Lean runs each one. */
export function modelSearch(ask: AskTactics): HoleSearch {
  return async (bench, root) => {
    const { workbench, account } = bench;
    const waiting: Waiting[] = [{ state: root, belief: 0 }];
    const seen = new Set<string>();
    for (let asked = 0; asked < maxAsked && account.stopped === undefined; asked++) {
      waiting.sort((first, second) => second.belief - first.belief);
      const next = waiting.shift();
      if (!next) return undefined;
      const answer = await ask(bench, next.state);
      if (!answer.ok) {
        if (!account.signal.aborted) account.break(answer.error.message);
        return undefined;
      }
      const proposals = answer.value;
      const tactics = [...new Set(proposals.map(({ output }) => output))];
      const answers = await workbench.run(next.state, tactics, account);
      for (const [index, step] of answers.entries()) {
        if (step.kind !== 'state') continue;
        const { state } = step;
        if (state.closed) return state;
        const key = JSON.stringify(state.goals);
        if (seen.has(key) || state.tactics.length >= maxDepth) continue;
        seen.add(key);
        const score = proposals.find(({ output }) => output === tactics[index])?.score ?? 0;
        waiting.push({ state, belief: next.belief + Math.log(Math.max(1e-9, score)) });
      }
    }
    return undefined;
  };
}
