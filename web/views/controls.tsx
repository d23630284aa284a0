import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ControlBody, RunSummary } from '../../src/shared/api.ts';
import { useData } from '../data/context.ts';

/** Sends requests to a run; the outcome of the last one is shown next to the buttons. */
export function useControl(): {
  readonly said: string;
  readonly isBusy: boolean;
  readonly send: (body: ControlBody, done: string) => void;
} {
  const { source } = useData();
  const [state, setState] = useState({ said: '', isBusy: false });
  const send = async (body: ControlBody, done: string): Promise<void> => {
    setState({ said: '', isBusy: true });
    try {
      await source.control(body);
      setState({ said: done, isBusy: false });
    } catch (error) {
      setState({ said: error instanceof Error ? error.message : String(error), isBusy: false });
    }
  };
  return { ...state, send: (body, done) => void send(body, done) };
}

export function Controls({ run }: { run: RunSummary }): JSX.Element | null {
  const { source } = useData();
  const { said, isBusy, send } = useControl();
  if (!source.canControl) return null;
  const action = run.paused ? 'resume' : 'pause';
  return (
    <>
      <span class="quiet" role="status">
        {said}
      </span>
      <button
        class="button"
        type="button"
        disabled={isBusy}
        onClick={() => send({ run: run.run, action }, `${action} requested`)}
      >
        {run.paused ? 'Resume' : 'Pause'}
      </button>
    </>
  );
}
