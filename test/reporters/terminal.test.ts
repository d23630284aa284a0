import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Screen } from './screen.ts';

const fixture = fileURLToPath(new URL('../fixtures/live-window.ts', import.meta.url));

const window = '\u001B[?25l';

/** Starts the window, sends a signal once it is shown; answers how the process ended and what its screen looks like. */
async function interrupted(signal: NodeJS.Signals, args: readonly string[] = []) {
  const child = spawn(process.execPath, [fixture, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const shown = text.includes(window);
    text += chunk.toString();
    if (!shown && text.includes(window)) child.kill(signal);
  });
  const [code, diedOf] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...end) => resolve(end));
  });
  const screen = new Screen(80);
  screen.feed(text);
  return { code, diedOf, screen };
}

describe('the terminal is restored', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'an unhandled %s still ends the process',
    async (signal) => {
      const { diedOf, screen } = await interrupted(signal);
      expect(diedOf).toBe(signal);
      expect(screen.cursorVisible).toBe(true);
      expect(screen.lines.join('')).toBe('');
    },
  );

  test('a signal with another handler is left to that handler', async () => {
    const { code, screen } = await interrupted('SIGINT', ['drain']);
    expect(code).toBe(1);
    expect(screen.cursorVisible).toBe(true);
  });
});
