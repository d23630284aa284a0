import { expect, test } from 'vitest';
import { marketDot } from '../../../src/lean/market/graph.ts';
import { svgOfDot } from '../../../src/lean/base/dot.ts';
import type { TicketRow } from '../../../src/shared/ledger.ts';

function ticket(id: string, more: Partial<TicketRow> = {}): TicketRow {
  return {
    ticket_id: id,
    kind: 'lemma',
    goal: `theorem ${id} : True`,
    goal_hash: null,
    context: [],
    suggested_name: id,
    constraints: [],
    priority: 0.5,
    status: 'open',
    requester: 'me',
    dependencies: [],
    completed_proof: null,
    counterexample: null,
    merged_into: null,
    cpu_seconds: 1.25,
    run: null,
    opened: 0,
    claimant: null,
    expires: null,
    assurance: null,
    ...more,
  };
}

test('arrows lead from a lemma to the goals that wait for it, the lemmas that need it, and those that follow from it', async () => {
  const tickets = [
    ticket('general', { status: 'claimed' }),
    ticket('special', { status: 'merged', merged_into: 'general' }),
    ticket('wrong', { status: 'refuted', counterexample: 'n = "0"', dependencies: ['general', 'elsewhere'] }),
  ];
  const request = { run: 'r', priority: 0.5, at: 0, cpu_seconds: 0 };
  const asked = ['main', 'main', 'general'].map((requester) => ({
    ...request,
    requester,
    ticket_id: 'special',
  }));
  const dot = marketDot(tickets, [...asked, { ...request, requester: 'gone', ticket_id: 'elsewhere' }]);
  const arrows = dot.split('\n').filter((line) => line.includes('->'));
  expect(arrows.map((line) => line.trim())).toEqual([
    '"special" -> "waits: main";',
    '"special" -> "waits: general";',
    '"general" -> "wrong";',
    '"general" -> "special" [style=dashed];',
  ]);
  expect(dot).toContain(String.raw`false: n = \"0\"`);
  expect(dot).not.toContain('gone');
  const svg = await svgOfDot(dot);
  for (const { ticket_id } of tickets) expect(svg).toContain(`>${ticket_id}<`);
});
