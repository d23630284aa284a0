import type { JSX } from 'preact';
import type { GoalView as Goal } from '../../src/shared/api.ts';
import { count, percent, plural } from '../data/format.ts';
import { Card, Code, CopyButton } from '../parts/blocks.tsx';
import { GridImage, GridTaskView, sizeOf, taskOf } from '../parts/grids.tsx';
import { Bar } from '../parts/marks.tsx';

type Rows = readonly (readonly number[])[];

/** The displayed fields of the rule search's row for a task. */
interface SearchRow {
  readonly nodes: number;
  readonly candidates: readonly {
    readonly candidate_id: string;
    readonly by: string;
    readonly price: number;
    readonly verifier_score: number;
    readonly error_type: string;
    readonly feature_vec: { readonly exact_frac: number; readonly cell_acc: number };
    readonly program: readonly { readonly op: string; readonly args: Readonly<Record<string, unknown>> }[];
  }[];
  /** Rows of older versions lack descriptions. */
  readonly chosen: readonly {
    readonly candidate_id: string;
    readonly belief: number;
    readonly sentence?: string;
  }[];
  readonly steps?: readonly { readonly text: string; readonly images: readonly Rows[] }[];
  readonly second_because?: string | null;
  readonly attempts: readonly (readonly [Rows | null, Rows | null])[];
}

/** The task as grids, and the description of the rule that solves it. */
export function TaskBlock({ goal }: { goal: Goal }): JSX.Element {
  const proof = goal.proofs.at(-1)?.proof;
  return (
    <>
      <Card title="Task" note={sizeOf(goal.statement)}>
        <GridTaskView statement={goal.statement} />
      </Card>
      {proof === undefined ? null : (
        <Card title="The rule" note="exact on every training pair">
          <Code text={proof} label="rule" tone="good" />
          <div class="row under">
            <CopyButton text={proof} what="rule" />
          </div>
        </Card>
      )}
    </>
  );
}

/** Result of the search: its answers, and the ranked rules with their errors. */
export function Rules({ goal }: { goal: Goal }): JSX.Element {
  const row = rowOf(goal);
  if (row === null) return <></>;
  const { train } = taskOf(goal.statement);
  return (
    <>
      <Card title="Answers" note="two attempts per test">
        <div class="grids">
          {row.attempts.flatMap((both, test) =>
            both.map((rows, attempt) =>
              rows === null ? null : (
                <figure key={`${test} ${attempt}`}>
                  <GridImage rows={rows} name={`answer ${attempt + 1} to test ${test + 1}`} />
                  <figcaption class="quiet">
                    test {test + 1}, attempt {attempt + 1}
                  </figcaption>
                </figure>
              ),
            ),
          )}
        </div>
        {row.chosen.map(({ candidate_id, belief, sentence }, attempt) =>
          sentence === undefined ? null : (
            <p key={candidate_id}>
              <b>Attempt {attempt + 1}</b> ({Math.round(100 * belief)} %): {sentence}
              {attempt === 1 && row.second_because ? ` It is second because ${row.second_because}.` : ''}
            </p>
          ),
        )}
      </Card>
      <Steps steps={row.steps ?? []} />
      <Card
        title="Rules by score"
        note={`${plural(row.candidates.length, 'rule')}, ${count(row.nodes)} nodes searched`}
      >
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th class="n">Rank</th>
                <th>Rule</th>
                <th>Correct pairs</th>
                <th class="n">Correct cells</th>
                <th>Errors</th>
                <th class="n">Price</th>
                <th>Answer</th>
              </tr>
            </thead>
            <tbody>
              {row.candidates.map((candidate, index) => (
                <tr key={candidate.candidate_id}>
                  <td class="n">{index + 1}</td>
                  <td class="mono" title={`found by ${candidate.by}`}>
                    {candidate.program.map((step, place) => (
                      <div key={place}>{stepOf(step)}</div>
                    ))}
                  </td>
                  <td class="nowrap">
                    <Bar share={candidate.feature_vec.exact_frac} />{' '}
                    {Math.round(candidate.feature_vec.exact_frac * train.length)} of {train.length}
                  </td>
                  <td class="n">{percent(candidate.feature_vec.cell_acc)}</td>
                  <td>{blameOf(candidate.error_type)}</td>
                  <td class="n">{candidate.price.toFixed(1)}</td>
                  <td>{attemptOf(row, candidate.candidate_id)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
    </>
  );
}

/** The rule of the first attempt, applied to the first training input: an image per step. */
function Steps({ steps }: { steps: NonNullable<SearchRow['steps']> }): JSX.Element | null {
  if (steps.length === 0) return null;
  return (
    <Card title="Step by step" note="the rule of attempt 1 on the first training input">
      <ol class="steps">
        {steps.map(({ text, images }, index) => (
          <li key={index}>
            <p>
              {index + 1}. {text}
            </p>
            <div class="grids">
              {images.map((rows, at) => (
                <GridImage key={at} rows={rows} name={`step ${index + 1}, image ${at + 1}`} most={120} />
              ))}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** The row of the newest attempt that has one. */
function rowOf({ attempt_rows }: Goal): SearchRow | null {
  const text = attempt_rows.findLast(({ tactics }) => tactics[0]?.startsWith('{'))?.tactics[0];
  return text === undefined ? null : (JSON.parse(text) as SearchRow);
}

function attemptOf({ chosen }: SearchRow, id: string): string {
  const index = chosen.findIndex(({ candidate_id }) => candidate_id === id);
  return index < 0 ? '' : `attempt ${index + 1}`;
}

/** `cut by blob`: the step with its settings, without its input images. */
function stepOf({ op, args }: SearchRow['candidates'][number]['program'][number]): string {
  const settings = Object.entries(args).flatMap(([name, value]) =>
    typeof value === 'string' && value !== 'input' ? [`${name} ${value}`] : [],
  );
  return [op, ...settings].join(' ');
}

/** `POSITION_SHIFT` as readable text. */
function blameOf(error: string): string {
  return error === 'NONE' ? 'nothing' : error.toLowerCase().replaceAll('_', ' ');
}
