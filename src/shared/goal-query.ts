import {
  listTextLength,
  type GoalGrouping,
  type GoalListRow,
  type GoalPage,
  type GoalQuery,
  type GoalSort,
} from './api.ts';
import { goalStatuses, type GoalStatus } from './ledger.ts';

/** Order of `failures`: what needs attention, then what is in progress, then what is done. */
const failuresFirst = placesOf(['unsolved', 'refuted', 'stopped', 'racing', 'parked', 'queued', 'solved']);
const asListed = placesOf(goalStatuses);

function placesOf(statuses: readonly GoalStatus[]): Readonly<Record<GoalStatus, number>> {
  return Object.fromEntries(statuses.map((status, place) => [status, place])) as Record<GoalStatus, number>;
}

/** Nothing more is tried unless a user requests it. */
export function isClosed(status: GoalStatus): boolean {
  return status === 'solved' || status === 'refuted' || status === 'unsolved';
}

/** Helper lemmas are internal to a run: they never count as goals or proofs. */
export function isAskedFor({ requester }: { readonly requester: string | null }): boolean {
  return requester === null;
}

/** Filter, search, group, sort and page. Server and report share this code, so they cannot differ. */
export function queryGoals(
  rows: readonly GoalListRow[],
  query: GoalQuery,
): Pick<GoalPage, 'total' | 'counts' | 'lemmas' | 'topics' | 'groups' | 'goals'> {
  const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
  const asked = rows.filter(isAskedFor);
  const listed = query.lemmas ? rows.filter((row) => !isAskedFor(row)) : asked;
  const matching = listed.filter((row) => matches(row, query, words));
  const sign = query.order === 'descending' ? -1 : 1;
  const compare = comparisons[query.sort];
  matching.sort((one, two) => sign * compare(one, two)); // stable: equal goals keep their order of arrival
  const groups = query.group === null ? null : grouped(matching, query.group);
  const ordered = groups === null ? matching : groups.flatMap(({ goals }) => goals);
  return {
    total: matching.length,
    counts: countByStatus(listed),
    lemmas: rows.length - asked.length,
    topics: [...new Set(listed.flatMap(({ topic }) => topic ?? []))].sort(),
    groups: (groups ?? []).map(({ name, goals }) => ({
      name,
      total: goals.length,
      counts: countByStatus(goals),
    })),
    goals: ordered.slice(query.offset, query.offset + query.limit).map(clipped),
  };
}

/** The file of `FILE:LINE` and of `FILE, record 3`. */
function fileOf(source: string | null): string {
  return (source ?? '').replace(/(?::\d+|, record \d+)$/, '');
}

/** Orders groups by name, numbers numerically, or by status, most relevant first. */
function grouped(
  rows: readonly GoalListRow[],
  by: GoalGrouping,
): { readonly name: string; readonly goals: readonly GoalListRow[] }[] {
  const nameOf: Readonly<Record<GoalGrouping, (row: GoalListRow) => string>> = {
    file: ({ source }) => fileOf(source),
    topic: ({ topic }) => topic ?? '',
    status: ({ status }) => status,
  };
  const groups = [...Map.groupBy(rows, nameOf[by])].map(([name, goals]) => ({ name, goals }));
  return groups.sort((one, two) =>
    by === 'status'
      ? failuresFirst[one.name as GoalStatus] - failuresFirst[two.name as GoalStatus]
      : collator.compare(one.name, two.name),
  );
}

export function countByStatus(rows: readonly { readonly status: GoalStatus }[]): Record<GoalStatus, number> {
  const counts = Object.fromEntries(goalStatuses.map((status) => [status, 0])) as Record<GoalStatus, number>;
  for (const { status } of rows) counts[status]++;
  return counts;
}

function matches(
  row: GoalListRow,
  { status, label, topic, file, since }: GoalQuery,
  words: readonly string[],
): boolean {
  if (status.length > 0 && !status.includes(row.status)) return false;
  if (label !== null && row.label !== label) return false;
  if (topic !== null && row.topic !== topic) return false;
  if (file !== null && fileOf(row.source) !== file) return false;
  if (since !== null && (row.latest ?? 0) <= since) return false;
  if (words.length === 0) return true;
  const text = `${row.goal}\n${row.statement}\n${row.topic ?? ''}\n${row.latest_error ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

type Compare = (one: GoalListRow, two: GoalListRow) => number;
const byNumber =
  (value: (row: GoalListRow) => number): Compare =>
  (one, two) =>
    value(one) - value(two);
const newestFirst = byNumber(({ latest }) => -(latest ?? 0));
/** Numbers inside names sort numerically. */
const collator = new Intl.Collator('en', { numeric: true });

const comparisons: Readonly<Record<GoalSort, Compare>> = {
  failures: (one, two) => failuresFirst[one.status] - failuresFirst[two.status] || newestFirst(one, two),
  goal: (one, two) => collator.compare(one.goal, two.goal),
  status: byNumber(({ status }) => asListed[status]),
  difficulty: byNumber(({ difficulty }) => difficulty),
  priority: byNumber(({ priority }) => priority),
  attempts: byNumber(({ attempts }) => attempts),
  cpu_seconds: byNumber(({ cpu_seconds }) => cpu_seconds),
  latest: newestFirst,
};

function clipped(row: GoalListRow): GoalListRow {
  // tasks are drawn, so their statements must be complete
  const statement = row.topic === 'arc' ? row.statement : clip(row.statement);
  return { ...row, statement, latest_error: row.latest_error && clip(row.latest_error) };
}

function clip(text: string): string {
  return text.length > listTextLength ? `${text.slice(0, listTextLength)}…` : text;
}
