import type { Route } from '../route.ts';

/** What every view is given. */
export interface ViewProps {
  readonly route: Route;
  /** The run that is looked at: `latest`, or its id. */
  readonly run: string;
}
