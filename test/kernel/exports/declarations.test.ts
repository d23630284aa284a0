import { expect, test } from 'vitest';
import { ExportWorld } from '../../helpers/ndjson.ts';

const basics = (): ExportWorld => new ExportWorld().withBasics();

test('what mentions an unsafe definition is refused', () => {
  const world = basics();
  world.define('evil', world.c('False'), world.c('evil'));
  world.last('def')['safety'] = 'unsafe';
  expect(world.judge()).toEqual({ answer: 'accept' });
  world.theorem('boom', world.c('False'), world.c('evil'));
  expect(world.judge()).toMatchObject({ answer: 'refuse', kind: 'unsafe' });
});

test.each(['partial', 'unsafe'])('a %s definition does not hide a safe one of its name', (safety) => {
  const world = basics();
  world.define('a', world.c('Nat'), world.c('Nat.zero'));
  const [row] = world.rows.slice(-1);
  world.rows.push({ def: { ...world.last('def'), safety } });
  expect(world.judge()).toMatchObject({ answer: 'refuse' });
  expect(row).toBeDefined();
});

test('definitions that mention themselves or each other are refused', () => {
  const world = basics();
  world.define('a', world.c('False'), world.c('a'));
  expect(world.judge()).toMatchObject({ answer: 'refuse' });
  const circle = basics();
  circle.theorem('a', circle.c('False'), circle.c('b'));
  circle.theorem('b', circle.c('False'), circle.c('a'));
  expect(circle.judge()).toMatchObject({ answer: 'refuse' });
});

test.each(['sorryAx', 'Lean.trustCompiler', 'Lean.ofReduceBool'])(
  'what rests on %s is declined',
  (axiomName) => {
    const world = basics();
    world.axiom(
      axiomName,
      world.pi(world.prop, (p) => p),
    );
    expect(world.judge()).toEqual({ answer: 'accept' });
    world.theorem('lemma', world.c('False'), world.app(world.c(axiomName), world.c('False')));
    world.theorem('boom', world.c('False'), world.c('lemma'));
    expect(world.judge()).toMatchObject({ answer: 'decline', kind: 'sorry' });
  },
);
