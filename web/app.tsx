import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RunSummary } from '../src/shared/api.ts';
import { useAnswer, useConnectionState, useData } from './data/context.ts';
import { clock, moment } from './data/format.ts';
import { Empty } from './parts/blocks.tsx';
import { ThemeSwitch } from './parts/theme.tsx';
import { href, useRoute, type Route } from './route.ts';
import { ArcView } from './views/arc.tsx';
import { CacheView } from './views/cache.tsx';
import { CoverageView } from './views/coverage.tsx';
import { GoalView } from './views/goal.tsx';
import { GoalsView } from './views/goals.tsx';
import { MachineView } from './views/machine.tsx';
import { MarketView } from './views/market.tsx';
import { NowView } from './views/now.tsx';
import { CompareView } from './views/compare.tsx';
import { ProjectView } from './views/project.tsx';
import type { ViewProps } from './views/props.ts';
import { RunsView } from './views/runs.tsx';
import { StrategiesView } from './views/strategies.tsx';

interface View {
  readonly path: string;
  readonly title: string;
  readonly show: (props: ViewProps) => JSX.Element;
}

const views: readonly View[] = [
  { path: 'now', title: 'Now', show: (props) => <NowView {...props} /> },
  { path: 'project', title: 'Project', show: (props) => <ProjectView {...props} /> },
  { path: 'coverage', title: 'Coverage', show: (props) => <CoverageView {...props} /> },
  { path: 'goals', title: 'Goals', show: showGoals },
  { path: 'arc', title: 'ARC', show: (props) => <ArcView {...props} /> },
  { path: 'strategies', title: 'Strategies', show: (props) => <StrategiesView {...props} /> },
  { path: 'market', title: 'Market', show: () => <MarketView /> },
  { path: 'cache', title: 'Cache', show: (props) => <CacheView {...props} /> },
  { path: 'machine', title: 'Machine', show: (props) => <MachineView {...props} /> },
  { path: 'runs', title: 'Runs', show: showRuns },
];

function showGoals(props: ViewProps): JSX.Element {
  const goal = props.route.path[1];
  return goal === undefined ? <GoalsView {...props} /> : <GoalView {...props} goal={goal} key={goal} />;
}

function showRuns(props: ViewProps): JSX.Element {
  const [, word, a, b] = props.route.path;
  return word === 'compare' && a !== undefined && b !== undefined ? (
    <CompareView a={a} b={b} />
  ) : (
    <RunsView {...props} />
  );
}

export function App(): JSX.Element {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const name = route.path[0] ?? 'now';
  const view = views.find(({ path }) => path === name);
  const run = route.query.get('run') ?? 'latest';
  useTitle(route, view);
  const latest = useLatestRun();
  // tasks of ARC have a view of their own, where there are any
  const isArc = latest?.command.startsWith('arc') === true || name === 'arc';
  const hasBlueprint = useHasBlueprint() || name === 'coverage';
  const isShown: Readonly<Record<string, boolean>> = {
    arc: isArc,
    project: !isArc,
    coverage: !isArc && hasBlueprint,
  };
  const shownViews = views.filter(({ path }) => isShown[path] ?? true);
  return (
    <div class="frame">
      <a
        class="skip"
        href={location.hash}
        onClick={(click) => {
          click.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the view
      </a>
      <header class="side">
        <a class="mark" href={href([])} aria-label="orch: to the start">
          <svg
            width="20"
            height="20"
            viewBox="0 0 20 20"
            fill="none"
            stroke="currentColor"
            stroke-width="2.2"
            aria-hidden="true"
          >
            <path d="M4 3v14M4 10h8M9 6l6 4-6 4" stroke-linecap="round" stroke-linejoin="round" />
          </svg>
          orch
        </a>
        <nav class="nav" aria-label="Views">
          {shownViews.map(({ path, title }) => (
            <a
              key={path}
              href={href([path], { run: route.query.get('run') })}
              aria-current={path === name ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <div class="side-foot">
          <ConnectionLine isRunning={latest?.state === 'live'} />
          <ThemeSwitch />
        </div>
      </header>
      <main ref={main} id="view" tabIndex={-1}>
        <Banners route={route} run={run} />
        {view === undefined ? (
          <Empty title="There is no such view">
            <a class="link" href={href([])}>
              Back to the start
            </a>
          </Empty>
        ) : (
          view.show({ route, run })
        )}
      </main>
    </div>
  );
}

/** What a reader must not overlook: the numbers are old, or of another run. */
function Banners({ route, run }: { route: Route; run: string }): JSX.Element {
  const state = useConnectionState();
  return (
    <>
      {state?.kind === 'stale' ? (
        <div class="banner" data-warn>
          No connection since {clock(state.since)}: what you see is from then. It comes back by itself.
        </div>
      ) : null}
      {run === 'latest' || route.path[1] === 'compare' ? null : (
        <div class="banner">
          <span>
            Run <span class="mono">{run}</span>
          </span>
          <a class="link" href={href([route.path[0] ?? 'now'])}>
            Back to the latest
          </a>
        </div>
      )}
    </>
  );
}

/** The newest run, whichever one is looked at. */
function useLatestRun(): RunSummary | null {
  const stats = useAnswer(
    'stats latest',
    async (source) => await source.stats('latest'),
    ({ type }) => type === 'run-started' || type === 'run-finished',
  );
  return stats.kind === 'here' ? stats.value.run : null;
}

/** A view of a blueprint that is not there would lead nowhere. */
function useHasBlueprint(): boolean {
  const coverage = useAnswer(
    'coverage',
    async (source) => await source.coverage(),
    ({ type }) => type === 'run-started',
  );
  return coverage.kind === 'here' && coverage.value.blueprint !== null;
}

/** Live: a run lives, and this page hears of it. */
function ConnectionLine({ isRunning }: { isRunning: boolean }): JSX.Element {
  const { source } = useData();
  const state = useConnectionState();
  const said = (): JSX.Element => {
    if (state === null)
      return (
        <>
          <span class="dot" />
          Report {moment(source.made ?? 0, 0)}
        </>
      );
    switch (state.kind) {
      case 'connecting':
        return (
          <>
            <span class="dot" />
            Connecting
          </>
        );
      case 'live':
        return (
          <>
            <span class="dot" data-on={isRunning ? true : undefined} />
            {isRunning ? 'Live' : 'Connected; no active run'}
          </>
        );
      case 'stale':
        return (
          <>
            <span class="dot" data-warn />
            Stale since {clock(state.since)}
          </>
        );
    }
  };
  return (
    <div class="connection" role="status" data-state={state?.kind ?? 'report'}>
      {said()}
    </div>
  );
}

function useTitle(route: Route, view: View | undefined): void {
  const detail = route.path[0] === 'goals' ? route.path[1] : undefined;
  useEffect(() => {
    document.title = [detail, view?.title, 'orch'].filter(Boolean).join(' · ');
  }, [detail, view]);
}
