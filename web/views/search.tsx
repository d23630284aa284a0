import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { GoalView as Goal } from '../../src/shared/api.ts';
import {
  branchesOf,
  neverProposed,
  reasonsOf,
  targetsOf,
  type Branch,
  type Reason,
} from '../../src/shared/search-branches.ts';
import { figuresOf, type SearchStep, type SearchTree } from '../../src/shared/search-tree.ts';
import { useAnswer } from '../data/context.ts';
import { count, plural, seconds } from '../data/format.ts';
import { Card, Code } from '../parts/blocks.tsx';
import { LeanText } from '../parts/lean-code.tsx';
import { SearchDrawing } from './search-drawing.tsx';
import { State, type Mark } from '../parts/marks.tsx';

/** The search trees of a goal: every reached state, with every tactic tried there. */
export function Searches({ goal, run }: { goal: Goal; run: string }): JSX.Element {
  const answer = useAnswer(
    `search ${run} ${goal.goal}`,
    async (source) => await source.search(run, goal.goal),
    (event) => event.type === 'attempt-finished' && event.goal === goal.goal,
  );
  const trees = answer.kind === 'here' ? answer.value.trees.filter(hasSteps) : [];
  return (
    <>
      {trees.map((tree, index) => (
        <SearchCard
          key={tree.start}
          tree={tree}
          title={trees.length === 1 ? 'Search' : `Search, hole ${index + 1}`}
        />
      ))}
    </>
  );
}

const hasSteps = ({ states }: SearchTree): boolean => states.some(({ steps }) => steps.length > 0);

function SearchCard({ tree, title }: { tree: SearchTree; title: string }): JSX.Element {
  const root = useMemo(() => branchesOf(tree), [tree]);
  const { steps, open, cpu_seconds } = figuresOf(tree);
  const never = neverProposed(tree);
  const waits = open === 0 ? '' : `, ${count(open)} queued`;
  return (
    <Card
      title={title}
      note={`${plural(steps, 'step')}, ${plural(tree.states.length, 'state')}${waits} · ${seconds(cpu_seconds)} in Lean`}
    >
      {never.length === 0 ? null : <p class="quiet under">Never proposed: {never.join(', ')}.</p>}
      <SearchDrawing root={root} />
      <ul class="tree">
        <Line branch={root} depth={0} />
      </ul>
      {tree.left_out === 0 ? null : (
        <p class="quiet under">{plural(tree.left_out, 'more state')} are not drawn.</p>
      )}
    </Card>
  );
}

const markOf: Readonly<Record<Branch['kind'], Mark | null>> = {
  solved: 'solved',
  waits: 'open',
  dead: 'failed',
  between: null,
};

/** Expanded at first: the start, and the path to the proof. Collapsed parts are not rendered. */
function Line({ branch, depth }: { branch: Branch; depth: number }): JSX.Element {
  const [isOpen, setOpen] = useState(depth === 0 || branch.isWay);
  const { state, below, failures } = branch;
  const hasMore = below.length > 0 || failures.length > 0 || (state !== null && isLong(state.goals));
  if (!hasMore)
    return (
      <li>
        <div class="branch">
          <Words branch={branch} />
        </div>
      </li>
    );
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="branch">
          <Words branch={branch} />
        </summary>
        {isOpen ? (
          <>
            {state !== null && isLong(state.goals) ? <Code text={state.goals} label="state" lean /> : null}
            <ul>
              {below.map((each) => (
                <Line key={each.key} branch={each} depth={depth + 1} />
              ))}
              {failures.length === 0 ? null : <Failures steps={failures} />}
            </ul>
          </>
        ) : null}
      </details>
    </li>
  );
}

/** A state that fits on one line needs no block. */
const isLong = (goals: string): boolean => goals.includes('\n') || goals.length > 80;

function Words({ branch }: { branch: Branch }): JSX.Element {
  const { step, score, instead, kind, cpuSeconds } = branch;
  const mark = markOf[kind];
  return (
    <>
      <span class="branch-mark">{mark === null ? null : <State of={mark} words={false} />}</span>
      <span class="branch-words">
        {step === null ? null : (
          <code class="step">
            <LeanText text={oneLine(step.tactic)} />
          </code>
        )}
        <span class="cut mono quiet">{leftBy(branch)}</span>
        {instead === null ? null : <span class="tag">{instead}</span>}
        {score === null ? null : <span class="tag">queued, {score.toFixed(1)}</span>}
      </span>
      <span class="n quiet" title="CPU of this step and of all below it">
        {seconds(cpuSeconds)}
      </span>
    </>
  );
}

/** Lean's state after the step: the goals to show, or that none are left. */
function leftBy({ step, state, instead, below }: Branch): string {
  if (state !== null) return targetsOf(state.goals);
  if (instead !== null) return '';
  return step?.outcome === 'closed' ? 'no goals' : plural(below.length, 'goal');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Failed tactics at a state, grouped by Lean's message. */
function Failures({ steps }: { steps: readonly SearchStep[] }): JSX.Element {
  return (
    <li>
      <Fold title={<span class="quiet">{plural(steps.length, 'tactic')} failed here</span>} steps={steps}>
        <ul>
          {reasonsOf(steps).map((reason) => (
            <ReasonLine key={reason.words} reason={reason} />
          ))}
        </ul>
      </Fold>
    </li>
  );
}

function ReasonLine({ reason: { words, steps } }: { reason: Reason }): JSX.Element {
  return (
    <li>
      <Fold
        title={
          <span class="branch-words">
            <span class="tag">{count(steps.length)}</span>
            <span class="quiet">{words}</span>
          </span>
        }
        steps={steps}
      >
        <ul>
          {steps.map((step) => (
            <li class="branch" key={step.tactic}>
              <span class="branch-mark">
                <State of={step.outcome === 'timeout' ? 'timeout' : 'failed'} words={false} />
              </span>
              <span class="branch-words">
                <code class="step">
                  <LeanText text={oneLine(step.tactic)} />
                </code>
                <span class="quiet">{oneLine(step.words ?? '')}</span>
              </span>
              <span class="n quiet">{seconds(step.cpu_seconds)}</span>
            </li>
          ))}
        </ul>
      </Fold>
    </li>
  );
}

interface FoldProps {
  readonly title: JSX.Element;
  readonly steps: readonly SearchStep[];
  readonly children: JSX.Element;
}

/** Collapsed at first; its content is rendered only when expanded. */
function Fold({ title, steps, children }: FoldProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="branch">
        <span class="branch-mark" />
        {title}
        <span class="n quiet">{seconds(steps.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0))}</span>
      </summary>
      {isOpen ? children : null}
    </details>
  );
}
