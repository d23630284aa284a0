import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallProgress, type CallStep } from '../../../src/server/mcp/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a call without reports says that it is alive; values only increase, and end with the call', () => {
  const sent: CallStep[] = [];
  const progress = new CallProgress('lean_goals is running', (step) => sent.push(step));
  vi.advanceTimersByTime(11_000);
  progress.report(3, 20, 'first: failed');
  progress.report(3, 20, 'second: failed');
  vi.advanceTimersByTime(5000);
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(sent.map(({ message }) => message)).toEqual([
    'lean_goals is running',
    'lean_goals is running',
    'first: failed',
    'second: failed',
    'second: failed',
  ]);
  const values = sent.map(({ progress: value }) => value);
  expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
  expect(sent[2]).toMatchObject({ progress: 3, total: 20 });
});
