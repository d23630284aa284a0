import { describe, expect, test } from 'vitest';
import { workflowCommand } from '../../src/reporters/github.ts';
import { reporterFor } from '../../src/reporters/reporters.ts';
import { textsOf, type ShippedProof } from '../../src/lean/ship/texts.ts';
import { escapeForeignText } from '../../web/parts/foreign-text.ts';
import { added, closed, event, finished, HandClock, Paper, started, unsolved } from './recorded.ts';

/** A name that forges the next line, hides it, turns its direction and ends the code around it. */
const hostile = '«x\n✓ accepted boom  replayed; no axioms\r\u001B[2K\u009B1A\u202E\u200B\u2028` **done**»';
const deceptive = /[^\P{Control}\n]|[\p{Format}\u2028\u2029]/u;

/** No line of the text begins as one that the name made. */
function expectUnforged(text: string): void {
  expect(text).toContain('boom');
  expect(text).not.toMatch(deceptive);
  for (const line of text.split('\n')) expect(line).not.toMatch(/^\s*✓ accepted boom/);
}

describe('a hostile name', () => {
  test.for(['plain', 'github'] as const)('in what the reporter %s prints', (name) => {
    const papers = { stdout: new Paper(), stderr: Object.assign(new Paper(), { isTTY: false }) };
    const reporter = reporterFor(name, papers, { clock: new HandClock(), environment: {} });
    const source = `${hostile}.lean:3`;
    const events = [
      started({ command: 'run' }),
      added(hostile, { source }),
      closed(hostile, 1),
      added(`${hostile}2`, { source }),
      unsolved(`${hostile}2`, 2, hostile),
      event('note', 2, { level: 'error', text: hostile }),
      finished(1),
    ];
    for (const one of events) reporter.event(one);
    reporter.close();
    expectUnforged(papers.stderr.text);
    expect(papers.stdout.text).not.toMatch(deceptive);
  });

  test('in an annotation', () => {
    const command = workflowCommand('error', hostile, { title: hostile, file: hostile, line: 3 });
    expectUnforged(command);
    expect(command.trimEnd().split('\n')).toHaveLength(1);
  });

  test('in a commit and in a pull request', () => {
    const proof: ShippedProof = {
      name: hostile,
      file: `${hostile}.lean`,
      proof: 'by rfl',
      assurance: 'replayed',
      strategy: 'micro',
      seconds: 1,
      cost: { cpu: 1, gpu: 0, cloud: 0 },
      cacheHits: 0,
      toolchain: 'lean',
      nodes: [hostile],
      below: [hostile],
      isFullyProved: true,
      attempts: 8,
      dollars: 0.0125,
      axioms: ['propext'],
      premises: ['Nat.add_comm'],
      secondKernel: null,
      statementHashes: ['5f1d'],
      sorries: { before: 3, after: 1 },
      stuck: [],
    };
    const { commit, title, body } = textsOf(proof);
    for (const text of [commit, title, body]) expectUnforged(text);
    expect(body).not.toContain('` **done**');
  });

  test('on the dashboard: as text, and as a title', () => {
    const hooks: { vnode?: (element: { props: object | string }) => void } = {};
    escapeForeignText(hooks);
    for (const props of [hostile, { title: hostile }]) {
      const element = { props };
      hooks.vnode?.(element);
      expect(JSON.stringify(element)).not.toMatch(/\\u001b|\\u009b|\u009B|[\p{Format}\u2028]/u);
    }
  });
});
