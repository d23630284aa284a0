import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { goalsOfFiles } from '../../../src/lean/blueprint/file-goals.ts';
import { planShipping } from '../../../src/lean/ship/plan.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { conversation } from '../../helpers/lean.ts';
import { Story } from '../../store/ledger/story.ts';
import { temporaryLedger } from '../../store/ledger/temporary.ts';

const talk = conversation();

test('theorems with the same words in two namespaces keep their own proofs, also under the name of a second try', async () => {
  const tree = temporaryFolder();
  const file = path.join(tree, 'Two.lean');
  const theorem = 'theorem t : n = n := by\n  sorry';
  writeFileSync(
    file,
    `namespace A\ndef n := 1\n${theorem}\nend A\n\nnamespace B\ndef n := 2\n${theorem}\nend B\n`,
  );
  const { goals } = await goalsOfFiles([file], { pool: talk.pool });
  const story = new Story().begin();
  for (const goal of goals.toReversed()) {
    const name = `${goal.id} (2)`;
    story.add(name, { task: goal, statement: goal.statement, source: 'Two.lean:1' }).examine(name);
    story.judge(null, name, { proof: `by exact @rfl _ ${goal.id.charAt(0)}.n` }).closeGoal(name);
  }
  const { ledger } = await temporaryLedger(story.end().events);
  const solved = await Promise.all(
    ['B.t (2)', 'A.t (2)'].map(async (name) => (await ledger.views.goal('run-1', name)) ?? expect.fail(name)),
  );
  const { declarations, not } = await planShipping(talk.pool, tree, new Map([['Two.lean', solved]]));
  expect(not).toEqual([]);
  expect(
    declarations.map(({ name, holes }) => [name, holes.map(({ known }) => known.proofs[0]?.proof)]),
  ).toEqual([
    ['A.t', ['by exact @rfl _ A.n']],
    ['B.t', ['by exact @rfl _ B.n']],
  ]);
});
