import type {
  ControlAccepted,
  ControlBody,
  GoalPage,
  GoalQuery,
  GoalSearch,
  GoalView,
  Marketplace,
  Moment,
  RunComparison,
  RunDetail,
  Runs,
  Stats,
} from '../../src/shared/api.ts';
import type { CoverageView } from '../../src/shared/coverage.ts';

/** Where the views' data comes from: a server, or a report that holds everything itself. */
export interface Source {
  /** When a report was made; null: this is live. */
  readonly made: number | null;
  /** Whether requests to a run would be heard: there is a token. */
  readonly canControl: boolean;
  stats(run: string): Promise<Stats>;
  run(run: string): Promise<RunDetail>;
  /** `at`: null for its end so far. */
  history(run: string, at: number | null): Promise<Moment>;
  runs(): Promise<Runs>;
  marketplace(): Promise<Marketplace>;
  goals(run: string, query: GoalQuery): Promise<GoalPage>;
  goal(run: string, goal: string): Promise<GoalView>;
  coverage(): Promise<CoverageView>;
  search(run: string, goal: string): Promise<GoalSearch>;
  compare(a: string, b: string): Promise<RunComparison>;
  control(body: ControlBody): Promise<ControlAccepted>;
}

/** What a source refuses to answer, in a sentence for the reader. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
