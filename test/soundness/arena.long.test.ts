import { expect, test } from 'vitest';
import { arenaBadClaims, arenaExports, arenaGoodFile } from './arena.ts';
import { judgeForged, openGate } from './run.ts';

const deadlineMs = 60_000;

test('the cases of the kernel arena’s tutorial: good ones are accepted, bad ones are not', async () => {
  await using lean = await openGate();
  const surprises: string[] = [];
  for (const { name, isGood, candidate } of arenaExports) {
    const question = { sort: 'forged export', disguise: name, kind: 'kernel' } as const;
    const { verdict, kind, message } = await judgeForged(lean.gate, {
      ...question,
      statement: 'theorem t : True',
      candidate,
    });
    if (verdict !== (isGood ? 'accepted' : 'rejected'))
      surprises.push(`${name}: ${verdict} ${kind} ${message}`);
  }
  for (const verdict of await lean.gate.checkFile({ text: arenaGoodFile }, { deadlineMs }))
    if (verdict.verdict !== 'accepted')
      surprises.push(`${verdict.name}: ${verdict.verdict} ${verdict.kind} ${verdict.message}`);
  for (const [name, [statement, proof]] of Object.entries(arenaBadClaims))
    if ((await lean.gate.check({ statement, proof }, { deadlineMs })).verdict !== 'rejected')
      surprises.push(name);
  expect(surprises).toEqual([]);
});
