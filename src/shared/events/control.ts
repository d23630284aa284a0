/** What people ask of a run. */

export const controlActions = ['pause', 'resume', 'retry', 'cancel', 'priority'] as const;
export type ControlAction = (typeof controlActions)[number];

export interface ControlRequested {
  readonly action: ControlAction;
  /** Null where it is about the whole run. */
  readonly goal: string | null;
  /** The priority that is asked for, 0 to 1; else null. */
  readonly value: number | null;
}

export interface ControlObeyed extends ControlRequested {
  /** The number of the request's event. */
  readonly request: number;
  /** Null when it is done; else why not. */
  readonly refused: string | null;
}
