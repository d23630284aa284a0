import type { JSX } from 'preact';
import { defaultGoalQuery, type GoalGrouping } from '../../src/shared/api.ts';
import { goalStatuses } from '../../src/shared/ledger.ts';
import { useAnswer } from '../data/context.ts';
import { count } from '../data/format.ts';
import { Card, Shown } from '../parts/blocks.tsx';
import { Stack } from '../parts/marks.tsx';
import { href } from '../route.ts';

const shown = 8;

/** The status of goals by file, or by topic if all are in one file. */
export function Groups({ run, query }: { run: string; query: Record<string, string> }): JSX.Element {
  const both = useAnswer(
    `groups ${run}`,
    async (source) => {
      const by = async (group: GoalGrouping) =>
        (await source.goals(run, { ...defaultGoalQuery, group, limit: 1 })).groups;
      const files = await by('file');
      if (files.length > 1) return { by: 'file' as const, groups: files };
      return { by: 'topic' as const, groups: await by('topic') };
    },
    ({ type }) => type === 'goal-closed' || type === 'goal-added' || type === 'run-started',
  );
  return (
    <Shown answer={both}>
      {({ by, groups }) =>
        groups.length < 2 ? null : (
          <Card
            title={by === 'file' ? 'By file' : 'By topic'}
            note={
              <a class="link" href={href(['goals'], { ...query, group: by })}>
                all {count(groups.length)}
              </a>
            }
          >
            <ul class="files">
              {groups.slice(0, shown).map(({ name, total, counts }) => (
                <li key={name}>
                  <a class="file" href={href(['goals'], { ...query, [by]: name })}>
                    <b class="cut">{name === '' ? 'no file' : name}</b>
                    <Stack
                      thin
                      label={name}
                      parts={goalStatuses.map((status) => ({ name: status, value: counts[status] }))}
                    />
                    <span class="quiet n">
                      {count(counts.solved)} of {count(total)}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </Card>
        )
      }
    </Shown>
  );
}
