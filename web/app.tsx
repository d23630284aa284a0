import type { JSX } from 'preact';
import { projectPath } from './data/network-source.ts';
import { useEffect, useRef } from 'preact/hooks';
import type { RunSummary, Stats } from '../src/shared/api.ts';
import { useAnswer, useConnectionState, useData, useNow, type Answer } from './data/context.ts';
import { ago, clock, moment } from './data/format.ts';
import { useSinceLastLook } from './data/last-look.ts';
import { Empty } from './parts/blocks.tsx';
import { ThemeSwitch } from './parts/theme.tsx';
import { href, replaceQuery, useRoute, type Route } from './route.ts';
import { ArcView } from './views/arc.tsx';
import { CacheView } from './views/cache.tsx';
import { CoverageView } from './views/coverage.tsx';
import { GoalView } from './views/goal.tsx';
import { GoalsView } from './views/goals.tsx';
import { HistoryView } from './views/history.tsx';
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
  if (word === 'history') return <HistoryView {...props} />;
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
  const stats = useLatestStats();
  const latest = stats.kind === 'here' ? stats.value.run : null;
  const run = useShownRun(route, latest);
  useTitle(route, view, useSinceLastLook(run));
  const isShown: Readonly<Record<string, boolean>> = {
    arc: useHasTasks() || name === 'arc',
    coverage: useHasBlueprint() || name === 'coverage',
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
        <a class="mark" href={href([])} aria-label="orch: home">
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
            <a key={path} href={href([path])} aria-current={path === name ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <div class="side-foot">
          {projectPath() === '' ? null : (
            <a class="link" href="/">
              All projects
            </a>
          )}
          <ConnectionLine isRunning={latest?.state === 'live'} />
          <ThemeSwitch />
        </div>
      </header>
      <main ref={main} id="view" tabIndex={-1}>
        <Banners route={route} run={run} latest={latest} />
        {stats.kind === 'waiting' && run === 'latest' ? (
          <div class="empty" aria-busy="true" />
        ) : view === undefined ? (
          <Empty title="View not found">
            <a class="link" href={href([])}>
              Back to the overview
            </a>
          </Empty>
        ) : (
          view.show({ route, run })
        )}
      </main>
    </div>
  );
}

/** Warns that the figures are outdated or belong to another run. */
function Banners({
  route,
  run,
  latest,
}: {
  route: Route;
  run: string;
  latest: RunSummary | null;
}): JSX.Element {
  const state = useConnectionState();
  const now = useNow();
  return (
    <>
      {state?.kind === 'stale' ? (
        <div class="banner" data-warn>
          Connection lost at {clock(state.since)}; these figures are from then. The dashboard reconnects
          automatically.
        </div>
      ) : null}
      {latest === null || run === latest.run || route.path[0] === 'runs' ? null : (
        <div class="banner">
          <span>
            Not the newest run: <span class="mono">{run}</span>
          </span>
          <a class="link" href={href([route.path[0] ?? 'now'], { run: latest.run })}>
            Show the newest, started {ago(latest.started, now)}
          </a>
        </div>
      )}
    </>
  );
}

/** Statistics of the newest run, even if another run is shown. */
function useLatestStats(): Answer<Stats> {
  return useAnswer(
    'stats latest',
    async (source) => await source.stats('latest'),
    ({ type }) => type === 'run-started' || type === 'run-finished',
  );
}

/**
 * The run to show. If the URL names none, the id of the newest run is added to it, and updated when another run
 * starts, until the user chooses a run.
 */
function useShownRun(route: Route, latest: RunSummary | null): string {
  const asked = route.query.get('run');
  const followed = useRef<string | null>(null);
  useEffect(() => {
    if (latest === null || asked === latest.run) return;
    if (asked !== null && asked !== followed.current) return;
    followed.current = latest.run;
    replaceQuery(route, { run: latest.run });
  }, [asked, latest?.run]);
  return asked ?? latest?.run ?? 'latest';
}

/** Whether the run has ARC tasks, which have their own view. */
function useHasTasks(): boolean {
  const runs = useAnswer(
    'runs',
    async (source) => await source.runs(),
    ({ type }) => type === 'run-started',
  );
  return runs.kind === 'here' && runs.value.runs.some(({ command }) => command.startsWith('arc'));
}

/** Whether the project has a blueprint; without one its view is hidden. */
function useHasBlueprint(): boolean {
  const coverage = useAnswer(
    'coverage',
    async (source) => await source.coverage(),
    ({ type }) => type === 'run-started',
  );
  return coverage.kind === 'here' && coverage.value.blueprint !== null;
}

/** Live: a run is active and this page receives its events. */
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

/** Sets the page title, with the number of goals closed while the page was hidden. */
function useTitle(route: Route, view: View | undefined, closed: number): void {
  const detail = route.path[0] === 'goals' ? route.path[1] : undefined;
  useEffect(() => {
    const title = [detail, view?.title, 'orch'].filter(Boolean).join(' · ');
    document.title = closed === 0 ? title : `(${closed}) ${title}`;
  }, [detail, view, closed]);
}
