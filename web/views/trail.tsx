import type { JSX } from 'preact';
import type { GoalView } from '../../src/shared/api.ts';
import type { ArmChoice } from '../../src/shared/events.ts';
import type { AttemptRow, SlateRow } from '../../src/shared/ledger.ts';
import { clock, count, seconds } from '../data/format.ts';
import { Empty } from '../parts/blocks.tsx';
import { State } from '../parts/marks.tsx';

/** The decision trail: every slate with the reasons for the choice and its outcome, and the verdicts in between. */
export function Trail({ goal }: { goal: GoalView }): JSX.Element {
  if (goal.slates.length === 0) return <Empty title="No arm chosen yet" />;
  const steps = [
    ...goal.slates.map((slate, index) => ({
      at: slate.at,
      seq: slate.seq,
      isGood: false,
      show: () => <Slate slate={slate} attempts={attemptsOf(goal, index)} />,
    })),
    ...goal.verdicts.map((verdict) => ({
      at: verdict.at,
      seq: verdict.seq,
      isGood: verdict.verdict === 'accepted',
      show: () => (
        <>
          <State of={verdict.verdict} /> <span class="quiet">by the gate, candidate of {verdict.arm}</span>
          {verdict.verdict === 'accepted' ? null : <p>{verdict.message}</p>}
        </>
      ),
    })),
  ].sort((one, two) => one.seq - two.seq);
  return (
    <ol class="trail">
      {steps.map(({ at, seq, isGood, show }) => (
        <li key={seq} data-good={isGood ? true : undefined}>
          <div class="quiet">{clock(at)}</div>
          {show()}
        </li>
      ))}
    </ol>
  );
}

/** The attempts that finished between this slate and the next. */
function attemptsOf(goal: GoalView, index: number): readonly AttemptRow[] {
  const from = goal.slates[index]?.seq ?? 0;
  const to = goal.slates[index + 1]?.seq ?? Infinity;
  return goal.attempt_rows.filter(({ seq }) => seq > from && seq < to);
}

function Slate({ slate, attempts }: { slate: SlateRow; attempts: readonly AttemptRow[] }): JSX.Element {
  return (
    <>
      <p title={`round ${slate.round + 1}`}>{slate.reason}</p>
      <p class="quiet">
        {slate.slot} · at most {seconds(slate.limits.cpu_seconds)} of CPU in all,{' '}
        {count(slate.limits.heartbeats)} heartbeats per tactic
      </p>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>Arm</th>
              <th class="n" title="mean + exploration">
                Score
              </th>
              <th class="n" title="moving average of the reward">
                Mean
              </th>
              <th class="n">Trials</th>
              <th>Outcome</th>
            </tr>
          </thead>
          <tbody>
            {slate.arms.map((choice) => (
              <Choice
                key={choice.arm}
                choice={choice}
                attempt={attempts.find(({ arm }) => arm === choice.arm)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Choice({ choice, attempt }: { choice: ArmChoice; attempt: AttemptRow | undefined }): JSX.Element {
  return (
    <tr>
      <td>{choice.arm}</td>
      <td class="n">{choice.score.toFixed(3)}</td>
      <td class="n">{choice.mean.toFixed(3)}</td>
      <td class="n">{count(choice.trials)}</td>
      <td>{attempt === undefined ? <span class="quiet">–</span> : <State of={attempt.outcome} />}</td>
    </tr>
  );
}
