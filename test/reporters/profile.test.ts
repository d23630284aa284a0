import { expect, test } from 'vitest';
import { drawFlames } from '../../src/reporters/flame-svg.ts';
import { mostExpensiveFirst, profileOf } from '../../src/reporters/profile.ts';
import type { RunEvent } from '../../src/shared/events.ts';

const events = [
  { type: 'goal-examined', goal: 'a', cpu_seconds: 1, work_seconds: 0.5 },
  { type: 'attempt-finished', goal: 'a', arm: 'micro/close', cpu_seconds: 2, work_seconds: 1 },
  { type: 'attempt-finished', goal: 'b<', arm: 'micro/close', cpu_seconds: 3, work_seconds: 2 },
  { type: 'attempt-finished', goal: 'a', arm: 'micro/induct', cpu_seconds: 4, work_seconds: 3 },
  { type: 'candidate-judged', goal: 'a', cpu_seconds: 0.5, work_seconds: 0 },
  { type: 'goal-charged', goal: 'a', cpu_seconds: 0.5, reason: 'polishing' },
  { type: 'run-finished', cpu_seconds: 15, host_cpu_seconds: 1 },
] as unknown as RunEvent[];

test('goals, orch itself and starting Lean add up to the CPU of the run', () => {
  const root = profileOf('run', events);
  expect(mostExpensiveFirst(root).map(({ name, cpuSeconds }) => [name, cpuSeconds])).toEqual([
    ['goals', 11],
    ['starting Lean, and requests outside of goals', 3],
    ['orch itself', 1],
  ]);
  expect(root.cpuSeconds).toBe(15);
  const goals = root.parts.get('goals');
  expect(goals && mostExpensiveFirst(goals).map(({ name, count }) => [name, count])).toEqual([
    ['attempts', 3],
    ['opening', 1],
    ['judging', 1],
    ['polishing', 1],
  ]);
  const arm = goals?.parts.get('attempts')?.parts.get('micro/close');
  expect(arm).toMatchObject({ count: 2, cpuSeconds: 5, workSeconds: 3 });
});

test('an active run has only its goals', () => {
  const root = profileOf('run', events.slice(0, -1));
  expect([root.cpuSeconds, root.parts.size]).toEqual([11, 1]);
});

test('the flame graph draws every part with its figures, and escapes names', () => {
  const svg = drawFlames(profileOf('run', events));
  expect(svg.match(/<rect /g)).toHaveLength(16);
  expect(svg).toContain('<title>micro/close: 5.00 CPU-s, 33.3 %</title>');
  expect(svg).toContain('b&lt;: 3.00');
});
