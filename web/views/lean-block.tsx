import type { JSX } from 'preact';
import type { GoalView as Goal } from '../../src/shared/api.ts';
import { ago, plural } from '../data/format.ts';
import { meaningOf } from '../data/words.ts';
import { Card, Code, CopyButton } from '../parts/blocks.tsx';
import { inShell } from '../data/shell.ts';
import { LeanText } from '../parts/lean-code.tsx';

const textOf = ({ statement, proofs }: Goal): string => {
  const proof = proofs.at(-1);
  return proof === undefined ? statement : `${statement.trimEnd()} := ${proof.proof}`;
};

/** Actions on a proof: copy it, apply it to the file, open a pull request. */
export function ProofButtons({ goal }: { goal: Goal }): JSX.Element {
  const { place, proofs } = goal;
  return (
    <>
      <CopyButton text={textOf(goal)} what="theorem" />
      {place?.patch ? (
        <>
          <CopyButton text={place.patch} what="patch" />
          <CopyButton text={`git apply <<'PATCH'\n${place.patch.trimEnd()}\nPATCH`} what="apply command" />
        </>
      ) : null}
      {place && proofs.length > 0 ? (
        <CopyButton text={`orch ship ${inShell(goal.goal)}`} what="ship command" />
      ) : null}
    </>
  );
}

/** The goal as Lean code: statement and, if any, proof in one block. */
export function LeanBlock({ goal, now }: { goal: Goal; now: number }): JSX.Element {
  const proof = goal.proofs.at(-1);
  const text = textOf(goal);
  const { place } = goal;
  return (
    <Card
      title={proof === undefined ? 'Statement' : 'Theorem'}
      note={place === null ? (goal.source ?? undefined) : `${place.file}:${place.line}`}
    >
      <div class={proof === undefined ? 'code' : 'code good'}>
        {/* it may scroll, so it must be reachable by keyboard */}
        <pre tabIndex={0} role="group" aria-label={proof === undefined ? 'statement' : 'theorem'}>
          <LeanText text={text} />
        </pre>
      </div>
      <div class="row under">
        <ProofButtons goal={goal} />
        {place?.editor ? (
          <a class="button" href={place.editor}>
            Open in editor
          </a>
        ) : null}
        {proof === undefined ? null : (
          <span class="tags right">
            <span class="quiet">
              found by {proof.arm}, {ago(proof.at, now)}
            </span>
            <abbr class="tag good" title={meaningOf(proof.assurance)}>
              {proof.assurance}
            </abbr>
            {proof.axioms.map((axiom) => (
              <span class="tag" key={axiom}>
                {axiom}
              </span>
            ))}
            {proof.assumes.map((name) => (
              <span class="tag" key={name}>
                assumes {name}
              </span>
            ))}
          </span>
        )}
      </div>
      {goal.preamble.trim() === '' ? null : (
        <details class="under">
          <summary class="quiet link">
            Preamble, {plural(goal.preamble.trim().split('\n').length, 'line')}
          </summary>
          <Code text={goal.preamble.trim()} label="preamble" lean />
        </details>
      )}
    </Card>
  );
}
