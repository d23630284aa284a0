import { spawn } from 'node:child_process';
import { failed, success, type Result } from '../core/result.ts';
import { refusalToStart } from '../io/programs.ts';
import {
  cancelled,
  sampleOf,
  worstOf,
  type Generated,
  type GenerateRequest,
  type Model,
  type ModelFailure,
} from './model.ts';

/** Maximum number of bytes read from a command. */
const mostOutput = 1 << 20;

/**
 * A model behind a command: the prompt on its standard input, the answer on its standard output. Words are split at blanks,
 * no shell is involved. Sampling is up to the command; n samples are n runs. It gets only the given environment, without keys of other services.
 */
export function commandModel(line: string, environment: Readonly<Record<string, string>>): Model {
  const [command = '', ...args] = line.trim().split(/\s+/);
  return {
    name: `cmd:${line}`,
    // a command-line client usually calls a service
    runsOn: 'cloud',
    skill: 'general',
    async generate(request, signal): Promise<Generated> {
      const samples = [];
      for (let i = 0; i < request.samples; i++) {
        const ended = await runOnce({ command, args, environment }, textOf(request), signal);
        if (!ended.ok) return ended;
        const text = ended.value;
        const isCut = text.length >= mostOutput;
        samples.push(
          sampleOf(cutAt(text.trim(), request.stop), isCut ? 'length' : 'stop', request.schema !== undefined),
        );
      }
      // a command does not report its usage, so the worst case is booked
      return success({ samples, usage: worstOf(request) });
    },
    embed: () => Promise.resolve(failed({ kind: 'failed', message: 'a command has no embeddings' })),
  };
}

function textOf({ system, prompt, schema }: GenerateRequest): string {
  const asked =
    schema === undefined
      ? ''
      : `\n\nAnswer with JSON of this schema and nothing else:\n${JSON.stringify(schema.json)}\n`;
  return `${system === undefined ? '' : `${system}\n\n`}${prompt}${asked}`;
}

function cutAt(text: string, stop: readonly string[] = []): string {
  const ends = stop.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

async function runOnce(
  { command, args, environment }: Program,
  input: string,
  signal: AbortSignal | undefined,
): Promise<Result<string, ModelFailure>> {
  if (isCancelled(signal)) return cancelled;
  const refusal = refusalToStart(command);
  if (refusal !== undefined) return failed({ kind: 'failed', message: refusal, retryable: false });
  // its own process group, so that its child processes end with it
  const child = spawn(command, args, {
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null)
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // it has just exited
      }
  };
  signal?.addEventListener('abort', end, { once: true });
  let text = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(0, mostOutput);
    if (text.length >= mostOutput) end();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said = (said + chunk).slice(-500)));
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (status, reason) => resolve(status ?? reason ?? 'ended'));
  });
  signal?.removeEventListener('abort', end);
  if (isCancelled(signal)) return cancelled;
  if (code === 0 || text.length >= mostOutput) return success(text);
  return failed({
    kind: 'failed',
    message: `${command} ended with ${code}: ${said.trim()}`,
    retryable: false,
  });
}

function isCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
