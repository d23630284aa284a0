import type { JSX } from 'preact';
import {
  goalGroupings,
  goalSorts,
  type GoalGrouping,
  type GoalPage,
  type GoalSort,
} from '../../src/shared/api.ts';
import type { GoalStatus } from '../../src/shared/ledger.ts';
import { clock, count } from '../data/format.ts';
import { replaceQuery, type Route } from '../route.ts';

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

/** Filters and order of the list; all of them are in the URL. */
export function Tools({
  route,
  page,
  status,
  sort,
  search,
}: {
  route: Route;
  page: GoalPage | null;
  status: readonly GoalStatus[];
  sort: GoalSort;
  search: { current: HTMLInputElement | null };
}): JSX.Element {
  const chips = ['unsolved', 'refuted', 'stopped', 'racing', 'parked', 'queued', 'solved'] as const;
  const topics = page?.topics ?? [];
  const file = route.query.get('file');
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
            aria-pressed={status.includes(each)}
            onClick={() => replaceQuery(route, { status: toggled(status, each).join(',') })}
          >
            {each} <small>{page === null ? '' : count(page.counts[each])}</small>
          </button>
        ))}
      </div>
      {(page?.lemmas ?? 0) === 0 ? null : (
        <button
          type="button"
          class="chip"
          aria-pressed={route.query.get('lemmas') !== null}
          onClick={() => replaceQuery(route, { lemmas: route.query.get('lemmas') === null ? 'yes' : null })}
        >
          helper lemmas <small>{count(page?.lemmas ?? 0)}</small>
        </button>
      )}
      {route.query.get('since') === null ? null : (
        <button
          type="button"
          class="chip"
          aria-pressed="true"
          aria-label="Only since a given time: show all"
          onClick={() => replaceQuery(route, { since: null })}
        >
          since {clock(Number(route.query.get('since')))} <small aria-hidden="true">×</small>
        </button>
      )}
      {file === null ? null : (
        <button
          type="button"
          class="chip"
          aria-pressed="true"
          aria-label={`Only ${file}: show all files`}
          onClick={() => replaceQuery(route, { file: null })}
        >
          <span class="cut">{file}</span> <small aria-hidden="true">×</small>
        </button>
      )}
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

function toggled(some: readonly GoalStatus[], one: GoalStatus): readonly GoalStatus[] {
  return some.includes(one) ? some.filter((each) => each !== one) : [...some, one];
}
