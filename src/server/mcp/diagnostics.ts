import { UserError } from '../../core/errors.ts';
import type { Message, ReplLoaded, Requests } from '../../lean/base/protocol.ts';
import type { LeanEnvironment } from '../../lean/project/environment.ts';
import type { Call } from './tool.ts';

/** Lean's messages about a text; lines and columns count from 1. */
export interface Diagnostics {
  readonly success: boolean;
  readonly diagnostics: readonly { severity: string; message: string; line: number; column: number }[];
}

export async function diagnosticsOf(
  call: Call,
  code: string,
  environment: LeanEnvironment,
  timeoutSeconds: number,
): Promise<Diagnostics> {
  const reply = await elaborateText(call, code, environment, timeoutSeconds);
  const isWrong = reply.messages.some(({ severity }) => severity === 'error');
  return { success: !isWrong, diagnostics: reply.messages.map(describeMessage) };
}

/** Runs a text as in an editor, with linters. */
export async function elaborateText(
  { desk, budget, signal }: Call,
  code: string,
  environment: LeanEnvironment,
  timeoutSeconds: number,
  wanted: Partial<Requests['repl']> = {},
): Promise<ReplLoaded> {
  const { pool } = await desk.orch.leanFor(environment);
  return await pool.use(
    async (lease) => {
      const body = { session: lease.fileSession, text: code, header: true, ...wanted };
      const reply = await lease.request('repl', body, {
        deadlineMs: budget.clockSeconds(timeoutSeconds) * 1000,
        signal,
      });
      budget.charge(reply.cost.cpuSeconds);
      if (!reply.ok) throw new UserError(reply.kind, [reply.message, ...reply.missing].join(' '));
      await lease.request('unload', { sessions: [reply.session] });
      await lease.request('drop', { states: reply.sorries.flatMap(({ state }) => state ?? []) });
      return reply;
    },
    { environment, signal },
  );
}

function describeMessage({ severity, text: message, start }: Message): Diagnostics['diagnostics'][number] {
  return { severity, message, line: start[0], column: start[1] + 1 };
}
