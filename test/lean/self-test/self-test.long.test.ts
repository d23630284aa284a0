import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { selfTest } from '../../../src/lean/self-test/self-test.ts';
import type { Verdict } from '../../../src/lean/gate/verdict.ts';
import { TestProject } from '../../helpers/project.ts';

/** A gate that accepts everything. */
class Credulous extends Gate {
  override async check(...asked: Parameters<Gate['check']>): Promise<Verdict> {
    return { ...(await super.check(...asked)), verdict: 'accepted', kind: 'proved' };
  }
}

test('Lean answers 40 questions as expected; a gate that accepts everything does not', async () => {
  const project = await TestProject.open();
  try {
    const { lean } = project;
    const rows = await selfTest(lean, systemClock);
    expect(rows.filter(({ isFine }) => !isFine)).toEqual([]);
    expect(rows).toHaveLength(40);

    const gate = new Credulous(lean.pool, lean.pool);
    const fooled = await selfTest({ pool: lean.pool, gate }, systemClock);
    const failed = fooled.filter(({ isFine }) => !isFine).map(({ name }) => name);
    expect(failed).toContain('a sorry');
    expect(failed).toContain('a proof of something else');
  } finally {
    await project.close();
  }
});
