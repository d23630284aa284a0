import type { ComponentChildren, JSX } from 'preact';
import type { RunSummary } from '../../src/shared/api.ts';
import { endWord } from '../../src/shared/run-end.ts';
import { ago, moment, seconds } from '../data/format.ts';
import { href } from '../route.ts';

export function Heading({
  title,
  children,
  right,
}: {
  title: ComponentChildren;
  children?: ComponentChildren;
  right?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="head">
      <h1>{title}</h1>
      {children === undefined ? null : <p>{children}</p>}
      {right === undefined ? null : <div class="right row">{right}</div>}
    </div>
  );
}

/** The run of a view, and its state. */
export function RunLine({ run, now }: { run: RunSummary; now: number }): JSX.Element {
  return (
    <>
      {run.label === null ? null : <b>{run.label} </b>}
      <span class="mono">{run.command}</span> {sourcesOf(run)}
      {' · '}
      <a class="link" href={href(['runs', 'history'], { run: run.run })}>
        {stateOf(run, now)}
      </a>
    </>
  );
}

/** The sources of a run's goals, unless the command contains them; hashes of task sets are omitted. */
export function sourcesOf({ command, sources }: RunSummary): string {
  return sources.filter((source) => source !== command && !/^[\da-f]{16}$/.test(source)).join(', ');
}

function stateOf(run: RunSummary, now: number): string {
  switch (run.state) {
    case 'live':
      return `${run.paused ? 'paused; started' : 'running since'} ${moment(run.started, now)}, ${seconds(Math.floor((now - run.started) / 1000))}`;
    case 'lost':
      return `not responding; started ${ago(run.started, now)}`;
    case 'finished':
      return `${endWord(run.reason ?? 'finished')}, ${ago(run.finished ?? run.started, now)}`;
  }
}
