import type { JSX } from 'preact';
import type { CacheEntry, Stats } from '../../src/shared/api.ts';
import { useAnswer, useNow } from '../data/context.ts';
import { ago, count, percent, seconds } from '../data/format.ts';
import { Card, Empty, Figures, Shown } from '../parts/blocks.tsx';
import { LeanText } from '../parts/lean-code.tsx';
import { Bar } from '../parts/marks.tsx';
import { href } from '../route.ts';
import { Heading } from './heading.tsx';
import type { ViewProps } from './props.ts';

export function CacheView({ run }: ViewProps): JSX.Element {
  const stats = useAnswer(
    `stats ${run}`,
    async (source) => await source.stats(run),
    ({ type }) => type === 'attempt-finished' || type === 'candidate-judged',
  );
  return (
    <>
      <Heading title="Cache">Cached proof scripts; each is checked again before it counts</Heading>
      <Shown answer={stats}>{(value) => <Cache stats={value} />}</Shown>
    </>
  );
}

function Cache({ stats: { cache, totals } }: { stats: Stats }): JSX.Element {
  const now = useNow();
  return (
    <div class="grid">
      <Card>
        <Figures
          figures={[
            {
              name: 'Goals with a known script',
              value: count(cache.cached_goals),
              of: `of ${count(totals.goals_known)}`,
            },
            {
              name: 'Attempts with a hit',
              value: cache.attempts === 0 ? '–' : percent(cache.attempts_with_hits / cache.attempts),
              of: `${count(cache.attempts_with_hits)} of ${count(cache.attempts)}`,
              word: 'hit rate',
            },
            { name: 'Hits', value: count(cache.cache_hits), word: 'hit' },
            { name: 'Goals ever proved', value: count(totals.goals_solved) },
          ]}
        />
      </Card>
      <Card title="Scripts judged most often">
        {cache.entries.length === 0 ? (
          <Empty title="The cache is empty">It fills as the gate judges candidates.</Empty>
        ) : (
          <Entries entries={cache.entries} now={now} />
        )}
      </Card>
    </div>
  );
}

function Entries({ entries, now }: { entries: readonly CacheEntry[]; now: number }): JSX.Element {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Script</th>
            <th>Goal</th>
            <th class="n">Judged</th>
            <th>Held</th>
            <th class="n">Mean CPU</th>
            <th class="n">Last</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={`${entry.goal_hash} ${entry.tactics}`}>
              <td class="mono script">
                <LeanText text={entry.tactics.replace(/^by\s+/, 'by ')} />
              </td>
              <td title={entry.goal_hash}>
                {entry.goal === null ? (
                  <span class="mono quiet">{entry.goal_hash.slice(0, 10)}</span>
                ) : (
                  <a class="link" href={href(['goals', entry.goal], { run: entry.run })}>
                    {entry.goal}
                  </a>
                )}
              </td>
              <td class="n">{count(entry.use_count)}</td>
              <td style={{ whiteSpace: 'nowrap' }}>
                <Bar share={entry.success_rate} /> <span class="quiet">{percent(entry.success_rate)}</span>
              </td>
              <td class="n">{seconds(entry.avg_time)}</td>
              <td class="n quiet">{ago(entry.last_used, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
