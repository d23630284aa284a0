import { describe, expect, it } from 'vitest';
import { blame } from '../../../../src/arc/learning/critic/blame.ts';
import { attribute } from '../../../../src/arc/learning/critic/csa.ts';
import { normalForm } from '../../../../src/arc/language/normal.ts';
import { verify } from '../../../../src/arc/verify/verify.ts';
import { inventedTask } from '../../invented.ts';

describe('attribution', () => {
  it('tries every other value of an argument, and blames the argument that fixes the rule', () => {
    const task = inventedTask('flip');
    const program = normalForm([{ op: 'move', args: { motion: 'rotate180' } }]);
    const verdict = verify(program, task);
    const attribution = attribute(program, task, verdict);
    // the step dropped, and each of the six other motions
    expect(attribution.reruns).toBeGreaterThanOrEqual(7);
    expect(attribution.steps[0]?.best_swap?.path).toBe('motion');
    expect(blame(program, task.train, verdict, attribution)).toMatchObject({ level: 'arg', arg: 'motion' });
  });

  it('alternates between the steps, within its limit', () => {
    const task = inventedTask('flip');
    const program = normalForm([
      { op: 'paint', args: { colour: 3 } },
      { op: 'move', args: { motion: 'rotate180' } },
      { op: 'erase', args: { colour: 5 } },
    ]);
    const { steps, reruns } = attribute(program, task, verify(program, task));
    expect(reruns).toBeLessThanOrEqual(64);
    expect(steps.every(({ best_swap }) => best_swap !== null)).toBe(true);
  });
});
