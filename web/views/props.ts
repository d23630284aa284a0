import type { Route } from '../route.ts';

/** Properties of every view. */
export interface ViewProps {
  readonly route: Route;
  /** The run to show: `latest`, or its id. */
  readonly run: string;
}
