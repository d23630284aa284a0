import { expect, test } from 'vitest';
import { started } from '../server/started.ts';
import { underWay } from '../server/told.ts';

/** The dashboard asks for pauses, retries and priorities. Nothing it sends becomes a proof or a verdict. */
const forged: readonly object[] = [
  { action: 'prove', goal: 'racing', proof: 'by sorry' },
  { action: 'retry', goal: 'racing', proof: 'by sorry' },
  { action: 'retry', goal: 'racing', verdict: 'accepted', assurance: 'replayed' },
  { action: 'priority', goal: 'racing', priority: 1, solved: true },
  { action: 'complete', ticket: 't1', proof: 'by sorry' },
  { type: 'proof-accepted', goal: 'racing', proof: 'by sorry' },
];

test('no request of the dashboard contains a proof or a verdict', async () => {
  const { post, ledger } = await started(underWay().events);
  const before = await ledger.journal.eventsSince(0, 1000);
  const statuses = [];
  for (const body of forged) statuses.push((await post(body)).status);
  expect(statuses).toEqual(forged.map(() => 400));
  expect(await ledger.journal.eventsSince(0, 1000)).toEqual(before);
});
