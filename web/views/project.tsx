import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { defaultGoalQuery, type GoalGroup, type GoalListRow } from '../../src/shared/api.ts';
import { goalStatuses } from '../../src/shared/ledger.ts';
import { useAnswer } from '../data/context.ts';
import { count, plural, seconds } from '../data/format.ts';
import { reasonOf } from '../data/reasons.ts';
import { Card, Empty, Shown } from '../parts/blocks.tsx';
import { Stack, State } from '../parts/marks.tsx';
import { href } from '../route.ts';
import { Heading } from './heading.tsx';
import type { ViewProps } from './props.ts';

/** Maximum goals listed per file; the goal list has all. */
const listed = 200;

/** Up to this many goals, all files start expanded. */
const fewGoals = 60;

/** The files of a run, with their `sorry`s and the status of each. */
export function ProjectView({ route, run }: ViewProps): JSX.Element {
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
        {({ groups, total }) =>
          groups.length === 0 ? (
            <Empty title="No files yet">They appear once a run has read its goals.</Empty>
          ) : (
            <Card>
              <ul class="files">
                {groups.map((group) => (
                  <File
                    key={group.name}
                    group={group}
                    run={run}
                    isOpenAtFirst={total <= fewGoals || route.query.get('file') === group.name}
                  />
                ))}
              </ul>
            </Card>
          )
        }
      </Shown>
    </>
  );
}

function File({
  group,
  run,
  isOpenAtFirst,
}: {
  group: GoalGroup;
  run: string;
  isOpenAtFirst: boolean;
}): JSX.Element {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="file">
          <FileLine group={group} />
        </summary>
        {isOpen ? <Sorries run={run} file={group.name} /> : null}
      </details>
    </li>
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

/** Line by line, in the file's order. */
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
                <span class="quiet cut">{wordsOf(goal)}</span>
                <span class="n quiet">{goal.cpu_seconds === 0 ? '–' : seconds(goal.cpu_seconds)}</span>
              </li>
            ))}
        </ul>
      )}
    </Shown>
  );
}

function wordsOf({ status, reason, refuted }: GoalListRow): string {
  if (refuted !== null) return `false; counterexample: ${refuted}`;
  return status === 'solved' ? '' : reasonOf({ status, reason });
}

function lineOf({ source }: GoalListRow): number {
  return Number(/:(\d+)$/.exec(source ?? '')?.[1] ?? 0);
}
