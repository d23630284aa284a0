/** Requests of users to a run. */

export const controlActions = ['pause', 'resume', 'retry', 'cancel', 'priority'] as const;
export type ControlAction = (typeof controlActions)[number];

export interface ControlRequested {
  readonly action: ControlAction;
  /** Null if it concerns the whole run. */
  readonly goal: string | null;
  /** The requested priority, 0 to 1; else null. */
  readonly value: number | null;
}

export interface ControlObeyed extends ControlRequested {
  /** The number of the request's event. */
  readonly request: number;
  /** Null if it was carried out; else why not. */
  readonly refused: string | null;
}
