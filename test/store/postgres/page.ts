import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/shared/events.ts';
import { started } from '../../server/started.ts';
import { Story } from '../ledger/story.ts';
import type { Temporary } from '../ledger/temporary.ts';

/** The dashboard over a ledger in PostgreSQL. */
export function pageReads(open: (events?: readonly RunEvent[]) => Promise<Temporary>): void {
  describe('the dashboard', () => {
    test('shows the run, labels each worker, and forwards user requests', async () => {
      const story = new Story().begin().add('g1').add('g2');
      for (const [index, worker] of ['one', 'two'].entries())
        story.finishAttempt(`a${index}`, 'g1', {
          strategy: 'remote',
          arm: `remote/${worker}`,
          outcome: 'solved',
          cloud_seconds: 0.5,
        });
      const { get, post, ledger } = await started(story.events, open);
      expect((await get('/api/runs')).json()).toMatchObject({ runs: [{ run: 'run-1' }] });
      const { text } = await get('/metrics');
      expect(text).toContain('orch_remote_answers_total{worker="one",outcome="solved"} 1\n');
      expect(text).toContain('orch_remote_cpu_seconds_total{worker="two"} 0.5\n');
      expect((await post({ action: 'pause', run: 'run-1' })).status).toBe(202);
      expect(await ledger.views.controlRequests('run-1', 0)).toMatchObject([{ action: 'pause' }]);
    });
  });
}
