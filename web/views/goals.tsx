import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  goalGroupings,
  goalSorts,
  type GoalGroup,
  type GoalListRow,
  type GoalPage,
  type GoalSort,
} from '../../src/shared/api.ts';
import { goalStatuses } from '../../src/shared/ledger.ts';
import { useNow } from '../data/context.ts';
import { ago, count, plural, seconds } from '../data/format.ts';
import { reasonOf } from '../data/reasons.ts';
import { Empty } from '../parts/blocks.tsx';
import { sizeOf } from '../parts/grids.tsx';
import { Bar, Stack, State } from '../parts/marks.tsx';
import { useRowFocus, useVisibleRows } from '../parts/virtual-list.ts';
import { href } from '../route.ts';
import { Lines, useKeys } from './goal-lines.ts';
import { Tools } from './goal-tools.tsx';
import { useGoalWindow } from './goal-window.ts';
import { RetryAll } from './retry-all.tsx';
import { Heading } from './heading.tsx';
import type { ViewProps } from './props.ts';

/** Row heights in pixels; must match `--row` in the style sheet. */
const rowHeights = { roomy: 58, dense: 32 } as const;
/** Sorts that start with the largest values. */
const mostFirst: ReadonlySet<GoalSort> = new Set(['difficulty', 'priority', 'attempts', 'cpu_seconds']);

export function GoalsView({ route, run }: ViewProps): JSX.Element {
  const wanted = route.query.get('status')?.split(',') ?? [];
  const status = goalStatuses.filter((each) => wanted.includes(each));
  const sort = goalSorts.find((each) => each === route.query.get('sort')) ?? 'failures';
  const group = goalGroupings.find((each) => each === route.query.get('group')) ?? null;
  const isDense = route.query.get('dense') !== null;
  const rowHeight = isDense ? rowHeights.dense : rowHeights.roomy;
  const query = {
    status,
    label: null,
    topic: route.query.get('topic'),
    file: route.query.get('file'),
    lemmas: route.query.get('lemmas') !== null,
    group,
    since: momentOf(route.query.get('since')),
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

  if (list.refused !== null && list.page === null)
    return <Empty title="Could not load">{list.refused}</Empty>;
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
      <RetryAll
        key={JSON.stringify(query)}
        run={run}
        query={{ ...query, offset: 0, limit: 1 }}
        found={found}
      />
      {list.page !== null && found === 0 ? (
        <Empty title={sum(list.page) === 0 ? 'No goals yet' : 'No matching goals'}>
          {sum(list.page) === 0
            ? 'Goals appear here as soon as a run has read them.'
            : 'Try fewer words, or another status.'}
        </Empty>
      ) : (
        <div class={isDense ? 'goals dense' : 'goals'}>
          <div class="goals-head" aria-hidden="true">
            <span />
            <span>Goal</span>
            <span class="why">Last message</span>
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

const momentOf = (text: string | null): number | null => (/^\d+$/.test(text ?? '') ? Number(text) : null);

function GroupRow({
  group,
  style,
}: {
  group: GoalGroup;
  style: { readonly transform: string };
}): JSX.Element {
  return (
    <div class="goal-row group-row" style={style} role="listitem">
      <b class="cut">{group.name === '' ? 'no file' : group.name}</b>
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
          <span class="cut mono">{row.topic === 'arc' ? sizeOf(row.statement) : saidBy(row.statement)}</span>
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

/** Without the name and the text before it, which are already shown. */
const saidBy = (statement: string): string =>
  oneLine(statement.replace(/^(?:\s|\/--[\s\S]*?-\/|@\[[^\]]*\])+/, '')).replace(
    /^(?:theorem|lemma) \S+ (?:: )?/,
    '',
  );

const oneLine = (statement: string): string => statement.replaceAll(/\s+/g, ' ').trim();

function wordsOf(row: GoalListRow, now: number): string {
  if (row.status === 'solved') return row.latest === null ? 'proved' : `proved ${ago(row.latest, now)}`;
  if (row.refuted !== null) return `false; counterexample: ${oneLine(row.refuted)}`;
  return oneLine(row.latest_error ?? '') || reasonOf(row);
}

const sum = ({ counts }: GoalPage): number => goalStatuses.reduce((all, status) => all + counts[status], 0);
