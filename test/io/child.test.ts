import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Child } from '../../src/io/child.ts';
import { processTreeUsage } from '../../src/io/process-usage.ts';
import { eventually, isRunning } from '../helpers/processes.ts';

function shell(script: string, env: Record<string, string> = {}): Child {
  return new Child({ command: '/bin/sh', args: ['-c', script], env, cwd: '/' });
}

function usedBy(pid: number): number {
  return processTreeUsage(pid)?.cpuSeconds ?? 0;
}

async function answersOf(child: Child): Promise<string> {
  let text = '';
  child.answers.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await child.exited;
  return text;
}

describe('Child', () => {
  test('a kill also ends the processes that the child started', async () => {
    const child = shell('sleep 1000 & echo $! >&3; wait');
    const [line] = (await once(child.answers, 'data')) as [Buffer];
    const grandchild = Number(line.toString());
    expect(isRunning(grandchild)).toBe(true);
    child.kill();
    await child.exited;
    await eventually(() => !isRunning(grandchild));
  });

  test('a kill ends a child that keeps restarting its processes', async () => {
    const child = shell('echo up >&3; while :; do sleep 1000; done');
    await once(child.answers, 'data');
    child.kill();
    expect((await child.exited).signal).toBe('SIGKILL');
  });

  test('the CPU of a killed child and its process group is counted', async () => {
    const before = usedBy(process.pid);
    const child = shell('sh -c "while :; do :; done"; exit $?');
    await eventually(() => usedBy(child.pid ?? 0) > 0.3);
    child.kill();
    await child.exited;
    expect(usedBy(process.pid) - before).toBeGreaterThan(0.3);
  });

  test('its processes end when it exits normally', async () => {
    const child = shell('sleep 1000 & echo $! >&3');
    const text = await answersOf(child);
    await eventually(() => !isRunning(Number(text)));
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  test('the last answer before its death is delivered, at any length', async () => {
    const child = shell('head -c 3000000 /dev/zero | tr "\\0" x >&3; kill -9 $$');
    expect((await answersOf(child)).length).toBe(3_000_000);
    expect((await child.exited).signal).toBe('SIGKILL');
  });

  test('inherits nothing from the environment', async () => {
    process.env['ORCH_TEST_SECRET'] = 'secret';
    const names = (await answersOf(shell('env >&3', { GIVEN: 'yes' })))
      .split('\n')
      .map((line) => line.split('=')[0] ?? '')
      .filter((name) => !['', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name));
    delete process.env['ORCH_TEST_SECRET'];
    expect(names).toEqual(['GIVEN']);
  });

  test('its stdout is not an answer, and its last output is kept', async () => {
    const child = shell('echo forged; echo "what went wrong" >&2; exit 7');
    expect(await answersOf(child)).toBe('');
    expect(await child.exited).toEqual({ code: 7, signal: null });
    expect(child.errorTail).toBe('what went wrong');
  });

  test('receives cancellations on a separate channel', async () => {
    const child = shell('read number <&4; echo "gave up $number" >&3');
    child.cancel(42);
    expect(await answersOf(child)).toBe('gave up 42\n');
  });

  test('a missing program is reported like any other exit', async () => {
    const child = new Child({ command: '/nowhere/lean', args: [], env: {}, cwd: '/' });
    child.kill();
    expect(await child.exited).toEqual({ code: null, signal: null });
    expect(child.errorTail).toContain('ENOENT');
  });

  test('a write to a child that is gone throws nothing', async () => {
    const child = shell('exit 0');
    await child.exited;
    child.input.write('hello\n');
    child.cancel(1);
    child.kill();
    expect((await child.exited).code).toBe(0);
  });
});
