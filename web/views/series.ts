import { useMemo, useRef, useState } from 'preact/hooks';
import type { RunDetail } from '../../src/shared/api.ts';
import type { Sample } from '../../src/shared/events.ts';
import { useAnswer, useEvents, type Answer } from '../data/context.ts';

export type TimedSample = Sample & { readonly at: number };

/** Kept on the page: half an hour at one a second. */
const kept = 1800;

/** The course of a run, asked for once; from then on its samples come with the events. */
export function useCourse(run: string): Answer<RunDetail> & { readonly samples: readonly TimedSample[] } {
  const answer = useAnswer(
    `run ${run}`,
    async (source) => await source.run(run),
    ({ type }) => type === 'run-started' || type === 'run-finished',
  );
  const id = answer.kind === 'here' ? answer.value.run.run : undefined;
  const fresh = useRef<{ id: string | undefined; samples: TimedSample[] }>({ id, samples: [] });
  const [version, setVersion] = useState(0);
  if (fresh.current.id !== id) fresh.current = { id, samples: [] };
  useEvents(
    (events) => {
      const more = events.filter((event) => event.type === 'sample').filter((event) => event.run === id);
      if (more.length === 0) return;
      fresh.current.samples = [...fresh.current.samples, ...more].slice(-kept);
      setVersion((last) => last + 1);
    },
    () => {},
  );
  const known = answer.kind === 'here' ? answer.value.samples : none;
  const samples = useMemo(() => {
    const last = known.at(-1)?.at ?? 0;
    return [...known, ...fresh.current.samples.filter(({ at }) => at > last)];
  }, [known, version]);
  return { ...answer, samples };
}
const none: readonly TimedSample[] = [];
