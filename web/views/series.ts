import { useMemo, useState } from 'preact/hooks';
import type { ProgressPoint, RunDetail } from '../../src/shared/api.ts';
import type { RunEvent, Sample } from '../../src/shared/events.ts';
import { useAnswer, useEvents, type Answer } from '../data/context.ts';

export type TimedSample = Sample & { readonly at: number };

export interface Course {
  readonly answer: Answer<RunDetail>;
  readonly samples: readonly TimedSample[];
  readonly progress: readonly ProgressPoint[];
}

/** Number of samples kept on the page: half an hour at one per second. */
const kept = 1800;

/** The progress of a run, requested again when a goal is closed; samples extend it in between. */
export function useCourse(run: string): Course {
  const answer = useAnswer(
    `run ${run}`,
    async (source) => await source.run(run),
    (event) =>
      event.run === run &&
      (event.type === 'goal-closed' || event.type === 'run-started' || event.type === 'run-finished'),
  );
  const detail = answer.kind === 'here' ? answer.value : undefined;
  const fresh = useFreshEvents(run, detail);
  const samples = useMemo(
    () => [...(detail?.samples ?? []), ...fresh.filter((event) => event.type === 'sample')],
    [detail, fresh],
  );
  const progress = useMemo(() => {
    const points = detail?.progress ?? [];
    // start the line with the run, so that a single closed goal is visible
    return detail && points.length > 0
      ? [{ at: detail.run.started, closed: 0, solved: 0 }, ...points]
      : points;
  }, [detail]);
  return { answer, samples, progress };
}

/** Events of the run since its data was requested, including those before the answer arrived. */
function useFreshEvents(run: string, detail: RunDetail | undefined): readonly RunEvent[] {
  const [heard, setHeard] = useState<readonly RunEvent[]>([]);
  useEvents(
    (events) => {
      const more = events.filter(({ type }) => type === 'sample');
      if (more.length > 0) setHeard((old) => [...old, ...more].slice(-kept));
    },
    () => {},
  );
  const seq = detail?.seq ?? 0;
  return useMemo(
    () => heard.filter((event) => event.run === run && (event.seq ?? Infinity) > seq),
    [heard, run, seq],
  );
}
