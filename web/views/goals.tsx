import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  goalGroupings,
  goalSorts,
  type GoalGroup,
  type GoalGrouping,
  type GoalListRow,
  type GoalPage,
  type GoalSort,
} from '../../src/shared/api.ts';
import { goalStatuses, type GoalStatus } from '../../src/shared/ledger.ts';
import { useNow } from '../data/context.ts';
import { ago, count, plural, seconds } from '../data/format.ts';
import { Empty } from '../parts/blocks.tsx';
import { Bar, Stack, State } from '../parts/marks.tsx';
import { isTyping, useRowFocus, useVisibleRows, type RowFocus } from '../parts/virtual-list.ts';
import { href, replaceQuery, type Route } from '../route.ts';
import { useGoalWindow } from './goal-window.ts';
import { Heading } from './heading.tsx';
import type { ViewProps } from './props.ts';

/** As `--row` in the style sheet says, for each way to show them. */
const rowHeights = { roomy: 58, dense: 32 } as const;
const groupNames: Readonly<Record<GoalGrouping | 'none', string>> = {
  none: 'not grouped',
  file: 'by file',
  topic: 'by topic',
  status: 'by state',
};
const sortNames: Readonly<Record<GoalSort, string>> = {
  failures: 'failures first',
  goal: 'name',
  status: 'status',
  difficulty: 'difficulty',
  priority: 'priority',
  attempts: 'attempts',
  cpu_seconds: 'CPU used',
  latest: 'latest attempt',
};
/** What people mean when they sort by these: the most first. */
const mostFirst: ReadonlySet<GoalSort> = new Set(['difficulty', 'priority', 'attempts', 'cpu_seconds']);

export function GoalsView({ route, run }: ViewProps): JSX.Element {
  const status = goalStatuses.find((each) => each === route.query.get('status')) ?? null;
  const sort = goalSorts.find((each) => each === route.query.get('sort')) ?? 'failures';
  const group = goalGroupings.find((each) => each === route.query.get('group')) ?? null;
  const isDense = route.query.get('dense') !== null;
  const rowHeight = isDense ? rowHeights.dense : rowHeights.roomy;
  const query = {
    status: status === null ? [] : [status],
    label: null,
    topic: route.query.get('topic'),
    file: route.query.get('file'),
    group,
    search: route.query.get('q') ?? '',
    sort,
    order: mostFirst.has(sort) ? ('descending' as const) : ('ascending' as const),
  };
  const [total, setTotal] = useState(0);
  const { holder, first, last } = useVisibleRows(total, rowHeight);
  const lines = useRef<Lines>(new Lines([], 0));
  const list = useGoalWindow(run, query, lines.current.goalAt(first), lines.current.goalAt(last));
  const found = list.page?.total ?? 0;
  lines.current = useMemo(() => new Lines(list.page?.groups ?? [], found), [list.page, found]);
  const { length } = lines.current;
  useEffect(() => setTotal(length), [length]);
  const search = useRef<HTMLInputElement>(null);
  useKeys(search, useRowFocus(holder, rowHeight), lines.current);
  const now = useNow();

  if (list.refused !== null && list.page === null) return <Empty title="No answer">{list.refused}</Empty>;
  const indices = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  return (
    <>
      <Heading
        title="Goals"
        right={
          <span class="quiet keys">
            <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open
          </span>
        }
      >
        {list.page === null ? '' : `${count(found)} of ${plural(sum(list.page), 'goal')}`}
      </Heading>
      <Tools route={route} page={list.page} status={status} sort={sort} search={search} />
      {list.page !== null && found === 0 ? (
        <Empty title={sum(list.page) === 0 ? 'No goals yet' : 'No goal fits'}>
          {sum(list.page) === 0
            ? 'Goals appear here as soon as a run has read them.'
            : 'Try fewer words, or another status.'}
        </Empty>
      ) : (
        <div class={isDense ? 'goals dense' : 'goals'}>
          <div class="goals-head" aria-hidden="true">
            <span />
            <span>Goal</span>
            <span class="why">Latest words</span>
            <span>Difficulty</span>
            <span class="n">Attempts</span>
            <span class="n">CPU</span>
          </div>
          <div
            class="goals-body"
            ref={holder}
            role="list"
            aria-label="Goals"
            style={{ height: `${length * rowHeight}px` }}
          >
            {indices.map((line) => {
              const at = lines.current.at(line);
              const style = { transform: `translateY(${line * rowHeight}px)` };
              if ('group' in at)
                return <GroupRow key={`group ${at.group.name}`} group={at.group} style={style} />;
              const row = list.row(at.goal);
              return (
                <Row
                  key={row?.goal ?? line}
                  row={row}
                  line={line}
                  index={at.goal}
                  total={found}
                  run={run}
                  now={now}
                  style={style}
                />
              );
            })}
          </div>
        </div>
      )}
    </>
  );
}

/** Where each line of the list comes from: the heading of a group, or a goal. */
class Lines {
  readonly length: number;
  readonly #groups: readonly { readonly line: number; readonly goal: number; readonly group: GoalGroup }[];

  constructor(groups: readonly GoalGroup[], goals: number) {
    let goal = 0;
    this.#groups = groups.map((group, index) => {
      const start = { line: goal + index, goal, group };
      goal += group.total;
      return start;
    });
    this.length = goals + groups.length;
  }

  at(line: number): { readonly group: GoalGroup } | { readonly goal: number } {
    const last = this.#before(line);
    if (last?.line === line) return { group: last.group };
    return { goal: this.goalAt(line) };
  }

  /** The goal that stands there, or the next one. */
  goalAt(line: number): number {
    const last = this.#before(line);
    return last === undefined ? line : last.goal + Math.max(0, line - last.line - 1);
  }

  #before(line: number) {
    return this.#groups.findLast((group) => group.line <= line);
  }
}

function GroupRow({
  group,
  style,
}: {
  group: GoalGroup;
  style: { readonly transform: string };
}): JSX.Element {
  return (
    <div class="goal-row group-row" style={style} role="listitem">
      <b class="cut">{group.name === '' ? 'without' : group.name}</b>
      <Stack
        thin
        label={group.name}
        parts={goalStatuses.map((name) => ({ name, value: group.counts[name] }))}
      />
      <span class="quiet n">
        {count(group.counts.solved)} of {count(group.total)} proved
      </span>
    </div>
  );
}

function Row({
  row,
  line,
  index,
  total,
  run,
  now,
  style,
}: {
  row: GoalListRow | undefined;
  line: number;
  index: number;
  total: number;
  run: string;
  now: number;
  style: { readonly transform: string };
}): JSX.Element {
  const place = { role: 'listitem' as const, 'aria-setsize': total, 'aria-posinset': index + 1 };
  if (row === undefined) return <div class="goal-row" style={style} {...place} />;
  const link = href(['goals', row.goal], { run: run === 'latest' ? null : run });
  return (
    <div {...place}>
      <a class="goal-row" href={link} style={style} data-index={line}>
        <State of={row.status} words={false} />
        <span class="what">
          <b class="cut">{row.goal}</b>
          <span class="cut mono">{oneLine(row.statement).replace(/^theorem \S+ /, '')}</span>
        </span>
        <span class="why">{wordsOf(row, now)}</span>
        <span class="nowrap" title={`difficulty ${row.difficulty.toFixed(2)}`}>
          <Bar share={row.difficulty} grey /> <span class="quiet">{row.difficulty.toFixed(2)}</span>
        </span>
        <span class="n">{row.attempts === 0 ? '–' : count(row.attempts)}</span>
        <span class="n">{row.cpu_seconds === 0 ? '–' : seconds(row.cpu_seconds)}</span>
      </a>
    </div>
  );
}

const oneLine = (statement: string): string => statement.replaceAll(/\s+/g, ' ').trim();

function wordsOf(row: GoalListRow, now: number): string {
  if (row.status === 'solved') return row.latest === null ? 'proved' : `proved ${ago(row.latest, now)}`;
  if (row.refuted !== null) return `false: ${oneLine(row.refuted)}`;
  return oneLine(row.latest_error ?? '') || (row.reason ?? '');
}

const sum = ({ counts }: GoalPage): number => goalStatuses.reduce((all, status) => all + counts[status], 0);

function Tools({
  route,
  page,
  status,
  sort,
  search,
}: {
  route: Route;
  page: GoalPage | null;
  status: GoalStatus | null;
  sort: GoalSort;
  search: { current: HTMLInputElement | null };
}): JSX.Element {
  const chips = ['unsolved', 'refuted', 'racing', 'parked', 'queued', 'solved'] as const;
  const topics = page?.topics ?? [];
  return (
    <div class="tools" role="search">
      <input
        ref={search}
        class="field search"
        type="search"
        placeholder="Search names, statements, errors"
        aria-label="Search goals"
        value={route.query.get('q') ?? ''}
        onInput={(event) => replaceQuery(route, { q: event.currentTarget.value })}
      />
      <div class="chips" role="group" aria-label="Status">
        {chips.map((each) => (
          <button
            key={each}
            type="button"
            class="chip"
            aria-pressed={status === each}
            onClick={() => replaceQuery(route, { status: status === each ? null : each })}
          >
            {each} <small>{page === null ? '' : count(page.counts[each])}</small>
          </button>
        ))}
      </div>
      {topics.length > 1 ? (
        <select
          class="field"
          aria-label="Topic"
          value={route.query.get('topic') ?? ''}
          onChange={(event) => replaceQuery(route, { topic: event.currentTarget.value })}
        >
          <option value="">all topics</option>
          {topics.map((topic) => (
            <option key={topic} value={topic}>
              {topic}
            </option>
          ))}
        </select>
      ) : null}
      <select
        class="field"
        aria-label="Group"
        value={route.query.get('group') ?? 'none'}
        onChange={(event) =>
          replaceQuery(route, {
            group: event.currentTarget.value === 'none' ? null : event.currentTarget.value,
          })
        }
      >
        {(['none', ...goalGroupings] as const).map((each) => (
          <option key={each} value={each}>
            {groupNames[each]}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="chip"
        aria-pressed={route.query.get('dense') !== null}
        onClick={() => replaceQuery(route, { dense: route.query.get('dense') === null ? 'yes' : null })}
      >
        dense
      </button>
      <select
        class="field"
        aria-label="Sort by"
        value={sort}
        onChange={(event) => replaceQuery(route, { sort: event.currentTarget.value })}
      >
        {goalSorts.map((each) => (
          <option key={each} value={each}>
            {sortNames[each]}
          </option>
        ))}
      </select>
    </div>
  );
}

/** `/` to the search, `j` `k` or the arrows through the rows, Home and End to the ends; Enter follows the link by itself. */
function useKeys(search: { readonly current: HTMLInputElement | null }, focus: RowFocus, lines: Lines): void {
  const current = useRef({ focus, lines });
  current.current = { focus, lines };
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const isSearch = event.target === search.current;
      if (isTyping(event) && !(isSearch && (event.key === 'ArrowDown' || event.key === 'Escape'))) return;
      if (isSearch && event.key === 'Escape') return search.current?.blur();
      const target = targetOf(event.key, current.current.focus.index(), current.current.lines);
      if (event.key === '/') search.current?.focus();
      else if (target === null) return;
      else current.current.focus.move(target);
      event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

/** The next line that has a goal, in the direction of the key. */
function targetOf(key: string, index: number, lines: Lines): number | null {
  const last = lines.length - 1;
  if (last < 0) return null;
  const goalFrom = (line: number, step: 1 | -1): number | null => {
    for (let each = line; each >= 0 && each <= last; each += step) if ('goal' in lines.at(each)) return each;
    return null;
  };
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return goalFrom(Math.min(last, index + 1), 1);
    case 'k':
    case 'ArrowUp':
      return index < 0 ? null : (goalFrom(Math.max(0, index - 1), -1) ?? index);
    case 'Home':
      return index < 0 ? null : goalFrom(0, 1);
    case 'End':
      return index < 0 ? null : goalFrom(last, -1);
    default:
      return null;
  }
}
