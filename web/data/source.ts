import type {
  ControlAccepted,
  ControlBody,
  GoalPage,
  GoalQuery,
  GoalSearch,
  GoalView,
  Marketplace,
  Moment,
  Promoted,
  RunComparison,
  RunDetail,
  Runs,
  Stats,
} from '../../src/shared/api.ts';
import type { CoverageView } from '../../src/shared/coverage.ts';

/** The data source of the views: a server, or a report that contains everything itself. */
export interface Source {
  /** When a report was created; null for live data. */
  readonly made: number | null;
  /** Whether requests to a run are possible: there is a token. */
  readonly canControl: boolean;
  stats(run: string): Promise<Stats>;
  run(run: string): Promise<RunDetail>;
  /** `at`: null for the latest state. */
  history(run: string, at: number | null): Promise<Moment>;
  runs(): Promise<Runs>;
  marketplace(): Promise<Marketplace>;
  goals(run: string, query: GoalQuery): Promise<GoalPage>;
  goal(run: string, goal: string): Promise<GoalView>;
  coverage(): Promise<CoverageView>;
  search(run: string, goal: string): Promise<GoalSearch>;
  compare(a: string, b: string): Promise<RunComparison>;
  control(body: ControlBody): Promise<ControlAccepted>;
  /** Turns a finished lemma into a theorem of the project. */
  promote(ticket: string): Promise<Promoted>;
}

/** The source refused a request; the message is shown to the user. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
