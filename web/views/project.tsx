import type { JSX } from 'preact';
import { defaultGoalQuery, type GoalGroup, type GoalListRow } from '../../src/shared/api.ts';
import { goalStatuses } from '../../src/shared/ledger.ts';
import { useAnswer } from '../data/context.ts';
import { count, plural, seconds } from '../data/format.ts';
import { Card, Empty, Shown } from '../parts/blocks.tsx';
import { Stack, State } from '../parts/marks.tsx';
import { href, replaceQuery } from '../route.ts';
import { Heading } from './heading.tsx';
import type { ViewProps } from './props.ts';

/** The most that are listed below a file; the list of goals has all. */
const listed = 200;

/** The files that a run works on: each with its `sorry`s and how they stand. */
export function ProjectView({ route, run }: ViewProps): JSX.Element {
  const open = route.query.get('file');
  const files = useAnswer(
    `files ${run}`,
    async (source) => await source.goals(run, { ...defaultGoalQuery, group: 'file', limit: 1 }),
    ({ type }) => type === 'goal-closed' || type === 'goal-added' || type === 'run-started',
  );
  return (
    <>
      <Heading title="Project">
        {files.kind === 'here' ? plural(files.value.groups.length, 'file') : ''}
      </Heading>
      <Shown answer={files}>
        {({ groups }) =>
          groups.length === 0 ? (
            <Empty title="No files yet">They appear here as soon as a run has read its goals.</Empty>
          ) : (
            <Card>
              <ul class="files">
                {groups.map((group) => (
                  <li key={group.name}>
                    <button
                      type="button"
                      class="file"
                      aria-expanded={open === group.name}
                      onClick={() => replaceQuery(route, { file: open === group.name ? null : group.name })}
                    >
                      <FileLine group={group} />
                    </button>
                    {open === group.name ? <Sorries run={run} file={group.name} /> : null}
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </Shown>
    </>
  );
}

function FileLine({ group: { name, total, counts } }: { group: GoalGroup }): JSX.Element {
  return (
    <>
      <b class="cut">{name === '' ? 'without a file' : name}</b>
      <Stack
        thin
        label={name}
        parts={goalStatuses.map((status) => ({ name: status, value: counts[status] }))}
      />
      <span class="quiet n">
        {count(counts.solved)} of {count(total)} proved
        {counts.refuted === 0 ? '' : `, ${count(counts.refuted)} false`}
      </span>
    </>
  );
}

/** Line by line, as they stand in the file. */
function Sorries({ run, file }: { run: string; file: string }): JSX.Element {
  const goals = useAnswer(
    `file ${run} ${file}`,
    async (source) =>
      await source.goals(run, { ...defaultGoalQuery, file: file === '' ? null : file, limit: listed }),
    ({ type }) => type === 'goal-closed' || type === 'slate-started',
  );
  return (
    <Shown answer={goals}>
      {(page) => (
        <ul class="feed sorries">
          {page.goals
            .toSorted((one, two) => lineOf(one) - lineOf(two))
            .map((goal) => (
              <li key={goal.goal}>
                <span class="quiet n">{lineOf(goal) || ''}</span>
                <State of={goal.status} words={false} />
                <a class="link cut" href={href(['goals', goal.goal], { run: run === 'latest' ? null : run })}>
                  {goal.goal}
                </a>
                <span class="quiet cut">{goal.status === 'solved' ? '' : (goal.reason ?? '')}</span>
                <span class="n quiet">{goal.cpu_seconds === 0 ? '–' : seconds(goal.cpu_seconds)}</span>
              </li>
            ))}
        </ul>
      )}
    </Shown>
  );
}

function lineOf({ source }: GoalListRow): number {
  return Number(/:(\d+)$/.exec(source ?? '')?.[1] ?? 0);
}
