import { mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { planScaffold } from '../../src/app/scaffold.ts';
import { allTools } from '../../src/server/mcp/mcp.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';

/** Claude Code's own tools that agents here may use. */
const ownTools = new Set(['Read', 'Edit', 'Task', 'Bash']);
const choice = { name: 'demo', mathlib: false, copilot: false, agents: true };

function filesBelow(folder: string): { readonly name: string; readonly text: string }[] {
  return planScaffold(temporaryFolder(), choice)
    .filter(({ file }) => file.startsWith(folder))
    .map(({ file, text }) => ({ name: path.basename(file, '.md'), text }));
}

/** `key: value` lines between two lines of dashes, and what follows. */
function frontMatter(text: string): { readonly fields: Map<string, string>; readonly body: string } {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]+)$/.exec(text) ?? [];
  const fields = head.split('\n').map((line): [string, string] => {
    const [, key = '', value = ''] = /^([a-z-]+): (.+)$/.exec(line) ?? [];
    // a second colon, or a mark after a blank, would have another meaning in YAML
    expect(value).not.toMatch(/: | #|^[&*!|>%@`'"{]/);
    return [key, value];
  });
  return { fields: new Map(fields), body };
}

function unknownTools(list: string): string[] {
  const known = new Set(allTools.map(({ name }) => `mcp__orch__${name}`));
  return list.split(', ').filter((tool) => !known.has(tool) && !ownTools.has(tool.replace(/\(.*\)$/, '')));
}

describe('the files for agents', () => {
  test('agents have a name, a description and existing tools', () => {
    const agents = filesBelow('.claude/agents/');
    expect(agents.map(({ name }) => name).toSorted()).toEqual([
      'blueprint-updater',
      'golfer',
      'proof-writer',
      'refactorer',
      'reviewer',
      'search-coordinator',
      'verifier',
    ]);
    for (const { name, text } of agents) {
      const { fields, body } = frontMatter(text);
      expect([...fields.keys()]).toEqual(['name', 'description', 'tools']);
      expect(fields.get('name')).toBe(name);
      expect(unknownTools(fields.get('tools') ?? '')).toEqual([]);
      // every tool that its instructions mention exists
      const spoken = [...body.matchAll(/`((?:lean|market|blueprint|orch)_\w+)`/g)].map(
        ([, tool]) => tool ?? '',
      );
      for (const tool of spoken) expect(fields.get('tools')).toContain(`mcp__orch__${tool}`);
      expect(body).not.toMatch(/\{\{/);
    }
  });

  test('only the verifier and the coordinator write proofs; the golfer changes nothing', () => {
    const writers = filesBelow('.claude/agents/').filter(({ text }) =>
      text.includes('mcp__orch__lean_submit'),
    );
    expect(writers.map(({ name }) => name).toSorted()).toEqual(['search-coordinator', 'verifier']);
    expect(filesBelow('.claude/agents/golfer')[0]?.text).not.toMatch(/tools:.*Edit/);
  });

  test('commands have a description and a list of allowed tools', () => {
    const commands = filesBelow('.claude/commands/');
    expect(commands).toHaveLength(3);
    for (const { text } of commands) {
      const { fields } = frontMatter(text);
      expect(fields.get('description')).toBeTruthy();
      expect(unknownTools(fields.get('allowed-tools') ?? '')).toEqual([]);
    }
  });

  test('the server and the hooks are commands of orch', () => {
    const [mcp] = filesBelow('.mcp.json');
    expect(JSON.parse(mcp?.text ?? '')).toEqual({ mcpServers: { orch: { command: 'orch', args: ['mcp'] } } });
    const [settings] = filesBelow('.claude/settings.json');
    const { hooks } = JSON.parse(settings?.text ?? '') as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    const commands = Object.values(hooks).flatMap((all) =>
      all.flatMap((one) => one.hooks.map(({ command }) => command)),
    );
    expect(new Set(commands)).toEqual(new Set(['orch check --changed >&2 || exit 2']));
  });
});

test('the check reports a statement weakened since the last commit, also next to a sorry', async () => {
  const folder = temporaryFolder();
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder });
  const write = (text: string): void => writeFileSync(path.join(folder, 'Demo', 'A.lean'), text);
  mkdirSync(path.join(folder, 'Demo'));
  git('init', '--quiet');
  write('theorem big (n : Nat) : n + 0 = n := sorry\ntheorem small : 1 = 1 := rfl\n');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.invalid', 'commit', '--quiet', '--message', 'Begin');
  expect(await orchHere(['check', '--changed'], { cwd: folder })).toMatchObject({ code: 0, stdout: '' });
  write('theorem big (n : Nat) : n = n := sorry\ntheorem small : 1 = 1 := sorry\n');
  const weakened = await orchHere(['check', '--changed'], { cwd: folder });
  expect(weakened).toMatchObject({ code: 1 });
  expect(weakened.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^✗ Demo\/A\.lean {2}big {2}statement-changed/) as string,
  ]);
});
