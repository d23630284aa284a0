import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/config/package.ts';
import { cloneInto } from '../helpers/clone.ts';
import { sharedFolder } from '../helpers/folders.ts';

/**
 * A new user with a fresh clone, a new home and no cache of Lean types into a shell what the README and the first documents say, in
 * order, and gets the output that they show.
 */
const folder = sharedFolder();
const home = path.join(folder, 'home');
const clone = path.join(folder, 'orch');
/** Copies of what the documents work on: `docs/tour` and `examples/sums`. */
const tour = path.join(folder, 'tour');
const project = path.join(folder, 'sums');
const global = path.join(home, 'npm');

/** A new home, and nothing that this test run has added to PATH. Packages come from where this user gets them. */
const env: NodeJS.ProcessEnv = {
  ...variables(
    /^(https?_proxy|no_proxy|npm_config_(registry|(user|global)config|ca(file)?)|NODE_EXTRA_CA_CERTS)$/i,
  ),
  PATH: [path.join(global, 'bin'), ...pathWithoutPackages()].join(path.delimiter),
  HOME: home,
  LANG: 'C.UTF-8',
  npm_config_prefix: global,
  npm_config_cache: execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim(),
};

function variables(names: RegExp): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}

function pathWithoutPackages(): string[] {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.filter((each) => !each.includes('node_modules'));
}

beforeAll(() => {
  for (const each of [home, global]) mkdirSync(each, { recursive: true });
  cloneInto(clone);
  cpSync(path.join(packageRoot, 'docs/tour'), tour, { recursive: true });
  cpSync(path.join(packageRoot, 'examples/sums'), project, { recursive: true });
});

interface Told {
  readonly code: number | null;
  readonly output: string;
}

/** Types a line into a shell. Once its output matches `until`, presses Ctrl-C: for programs that serve until they are stopped. */
async function type(line: string, cwd: string, until?: RegExp): Promise<Told> {
  const child = spawn('sh', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let isStopped = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (isStopped || !until?.test(output)) return;
      isStopped = true;
      process.kill(-(child.pid ?? 0), 'SIGINT');
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (until) expect([line, output]).toEqual([line, expect.stringMatching(until)]);
  return { code, output };
}

async function typeAll(lines: readonly string[], cwd: string): Promise<void> {
  for (const line of lines) expect([line, await type(line, cwd)]).toMatchObject([line, { code: 0 }]);
}

interface Step {
  /** As it is printed in the document, with the comment behind it. */
  readonly line: string;
  readonly code: number;
  readonly quoted: string[];
}

const documentText = (name: string): string => readFileSync(path.join(packageRoot, name), 'utf8');

/** Commands of code blocks, fenced or indented, with or without a prompt, and the lines of output below a prompt. */
function stepsOf(name: string): Step[] {
  const blocks = documentText(name).matchAll(/^```.*\n([\s\S]*?)^```$|((?:^ {4}.*\n)+)/gm);
  return [...blocks].flatMap(([, fenced, indented]) => stepsIn(fenced ?? indented ?? ''));
}

function stepsIn(block: string): Step[] {
  const lines = block.split('\n').map((line) => line.trim());
  const prompt = lines.some((line) => line.startsWith('$ ')) ? '$ ' : '';
  const steps: Step[] = [];
  for (const text of lines) {
    const line = text.slice(prompt.length);
    if (text.startsWith(prompt) && /^(?:orch|npm) /.test(line))
      steps.push({ line, code: Number(/# exit (\d)$/.exec(line)?.[1] ?? 0), quoted: [] });
    else if (text !== '') steps.at(-1)?.quoted.push(text);
  }
  return steps;
}

/** Commands within sentences. */
function mentionedIn(name: string): string[] {
  const sentences = documentText(name).replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...sentences.matchAll(/`((?:orch|npx|npm) [^`]*)`/g)].map(([, line = '']) => line);
}

async function follow(steps: readonly Step[], cwdOf: (line: string) => string, as = ''): Promise<void> {
  expect(steps.length).toBeGreaterThan(0);
  for (const { line, code, quoted } of steps) {
    const told = await type(line.replace(/^orch /, `${as}orch `), cwdOf(line));
    expect([line, told.code, told.output]).toEqual([line, code, told.output]);
    for (const text of quoted) expect(told.output).toContain(text);
  }
}

test('the README: a clone, the tour, and five things to try with npx', async () => {
  const [start, everything, ...five] = stepsOf('README.md');
  // it runs this test among others
  expect(everything?.line).toMatch(/^npm ci && npm test /);
  const told = await type(start?.line ?? '', clone);
  expect(told).toEqual({ code: 0, output: expect.stringMatching(/is ready after [^]*✓ theorem/) as string });
  expect(mentionedIn('README.md')).toEqual(expect.arrayContaining(['npx orch', 'npm link']));
  await follow(five, () => clone, 'npx ');
});

test('npm link: orch in every folder', async () => {
  expect(mentionedIn('docs/LEAN-PROJECT.md')[0]).toBe('npm link');
  await typeAll(['npm link'], clone);
  await typeAll(['orch --version', 'orch lean status'], home);
});

test('I have a Lean project: find the sorrys, prove them, check the files', async () => {
  await follow(stepsOf('docs/LEAN-PROJECT.md'), (line) => (line.includes('examples/') ? clone : project));
  expect(readFileSync(path.join(project, 'Sums/Append.lean'), 'utf8')).not.toContain('sorry');
  const once = ['orch doctor', 'orch check .'];
  const served = ['orch dashboard', 'orch bg'];
  expect(mentionedIn('docs/LEAN-PROJECT.md')).toEqual(expect.arrayContaining([...once, ...served]));
  await typeAll(once, project);
  await type('orch dashboard', project, /http:\/\/\S+/);
  await type('orch bg', project, /\n/);
});

test('I run agents: the protocols start, the checker answers in JSON', async () => {
  await follow(stepsOf('docs/AGENTS.md'), () => project);
  const mentioned = mentionedIn('docs/AGENTS.md');
  // clients that leave at once
  const once = ['orch init --agents', 'orch mcp', 'orch repl'];
  expect(mentioned).toEqual(expect.arrayContaining([...once, 'orch serve']));
  await typeAll(once, project);
  expect(readdirSync(project)).toContain('.mcp.json');
  await type('orch serve', project, /http:\/\/\S+/);
  for (const [name, proof] of [
    ['SUBMISSION', 'rfl'],
    ['REFERENCE', 'by sorry'],
  ])
    writeFileSync(path.join(home, `${name}.lean`), `theorem t : 1 + 1 = 2 := ${proof}\n`);
  const compared = mentioned.find((line) => line.includes('--against')) ?? '';
  expect(await type(compared, home)).toMatchObject({
    code: 0,
    output: expect.stringContaining('accepted') as string,
  });
});

test('I do ARC research', async () => {
  await follow(stepsOf('docs/ARC.md'), () => tour);
});

test('ten minutes with orch', async () => {
  const steps = stepsOf('docs/TOUR.md');
  expect(steps.length).toBeGreaterThan(8);
  await follow(steps, () => tour);
});
