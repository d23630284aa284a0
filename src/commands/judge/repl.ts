import { InvalidArgumentError, Option, type Command } from 'commander';
import type { SettingFlags } from '../../config/load.ts';
import { UserError, messageOf } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { DojoTask } from '../../lean/dialects/leandojo.ts';
import type { Repl } from '../../lean/dialects/repl.ts';
import type { ReplAnswer } from '../../lean/dialects/repl-wire.ts';
import { exitWith, parseSeconds } from '../options/options.ts';
import { readText } from '../../io/text-file.ts';

interface ReplOptions {
  readonly dialect: 'repl' | 'leandojo';
  readonly timeout?: number;
  readonly memory?: number;
  readonly stmt?: string;
  readonly preamble?: string;
}

export function registerRepl(program: Command): void {
  program
    .command('repl')
    .description('Speak the protocol of leanprover-community/repl or LeanDojo on stdin and stdout')
    .argument('[place]', 'for LeanDojo: FILE:LINE of a sorry')
    .addOption(
      new Option('--dialect <name>', 'protocol to speak').choices(['repl', 'leandojo']).default('repl'),
    )
    .option('--timeout <seconds>', 'time limit per request (default: 60)', parseSeconds)
    .option('--memory <size>', 'replace a worker above this size, such as 900m or 2g', parseSize)
    .option('--stmt <text>', 'for LeanDojo: the statement: "theorem name binders : type"')
    .option('--preamble <file>', 'for LeanDojo: a Lean file to load before the statement')
    .addHelpText(
      'after',
      `
LeanDojo's NUM_PROCS, CACHE_DIR, TACTIC_MEMORY_LIMIT and TACTIC_TIMEOUT are honoured in its dialect. docs/INTEGRATIONS.md says what differs.`,
    )
    .action(exitWith(repl));
}

const defaultTimeout = 60;
const defaultBytes = 1.4e9;

async function repl(place: string | undefined, options: ReplOptions): Promise<ExitCode> {
  const isDojo = options.dialect === 'leandojo';
  const task = isDojo ? dojoTask(place, options) : undefined;
  if (!isDojo && (place !== undefined || options.stmt !== undefined))
    throw new UserError('repl-usage', 'FILE:LINE and --stmt are for --dialect leandojo');
  const dojo = isDojo ? dojoEnvironment(process.env) : {};
  const { open } = await import('../../app/orch.ts');
  const { OneLease } = await import('../../lean/dialects/one-lease.ts');
  const { Repl: ReplOf } = await import('../../lean/dialects/repl.ts');
  const recycleBytes = options.memory ?? dojo.memory ?? defaultBytes;
  await using orch = await open({ project: process.cwd(), settings: dojo.settings ?? {}, recycleBytes });
  const lease = new OneLease(async (environment) => (await orch.leanFor(environment)).pool, recycleBytes);
  const conversation = new ReplOf({
    borrow: lease.borrow,
    environmentOf: (text) => orch.environmentOf(text),
    timeout: options.timeout ?? dojo.timeout ?? defaultTimeout,
  });
  try {
    await (task ? speakLeanDojo(conversation, task) : speakRepl(conversation));
  } finally {
    lease.release();
    conversation.close();
  }
  return ExitCode.done;
}

/** Longer requests are refused: Lean cannot read input of that size. */
const maxRequest = 8 << 20;
const tooLarge: ReplAnswer = { message: `the request is larger than ${maxRequest} bytes` };

async function speakRepl(conversation: Repl): Promise<void> {
  const { BlankLineFraming, parseRequest } = await import('../../lean/dialects/repl-wire.ts');
  const framing = new BlankLineFraming(maxRequest);
  const answerTo = async (text: string): Promise<ReplAnswer> => {
    const request = parseRequest(text);
    return request.ok ? await conversation.answer(request.value) : { message: request.error.message };
  };
  const serve = async (text: string | null | undefined): Promise<void> => {
    if (text === undefined) return;
    const answer = text === null ? tooLarge : await answerTo(text);
    process.stdout.write(`${JSON.stringify(answer)}\n\n`);
  };
  for await (const line of linesOfInput()) await serve(framing.push(line));
  await serve(framing.end());
}

async function speakLeanDojo(conversation: Repl, task: DojoTask): Promise<void> {
  const { LeanDojo } = await import('../../lean/dialects/leandojo.ts');
  const dojo = new LeanDojo(conversation);
  process.stdout.write(`${await dojo.begin(task)}\n`);
  for await (const line of linesOfInput()) {
    if (line?.trim() === '') continue;
    process.stdout.write(`${await dojo.answer(line ?? '')}\n`);
  }
}

/** Lines of stdin; undefined for a line that is too long. */
async function* linesOfInput(): AsyncGenerator<string | undefined> {
  const { LineSplitter } = await import('../../io/lines.ts');
  const splitter = new LineSplitter(maxRequest);
  const last = Buffer.from('\n');
  for await (const chunk of process.stdin as AsyncIterable<Buffer>)
    for (const line of splitter.push(chunk)) yield line.kind === 'line' ? line.text : undefined;
  for (const line of splitter.push(last)) yield line.kind === 'line' ? line.text : undefined;
}

function dojoTask(place: string | undefined, { stmt, preamble }: ReplOptions): DojoTask {
  const [, file = '', line = ''] = /^(.+):(\d+)$/.exec(place ?? '') ?? [];
  if (file !== '' && stmt === undefined) return { text: readText(file), line: Number(line) };
  if (stmt === undefined || place !== undefined)
    throw new UserError(
      'repl-usage',
      'the LeanDojo dialect needs one proof: FILE:LINE of a sorry, or --stmt',
      'For example: orch repl --dialect leandojo --stmt "theorem t (n : Nat) : n + 0 = n"',
    );
  const before = preamble === undefined ? '' : `${readText(preamble)}\n`;
  return { text: `${before}${stmt} := by\n  sorry\n` };
}

/** The variables that LeanDojo's users set. A tactic runs on one core here, so TACTIC_CPU_LIMIT holds automatically. */
function dojoEnvironment(variables: NodeJS.ProcessEnv): {
  settings?: SettingFlags;
  memory?: number;
  timeout?: number;
} {
  const {
    CACHE_DIR: cache,
    ORCH_CACHE_DIR: own,
    TACTIC_MEMORY_LIMIT: memory,
    TACTIC_TIMEOUT: timeout,
  } = variables;
  return {
    ...(cache && !own && { settings: { cache_dir: cache } }),
    ...(memory && { memory: asUsage('TACTIC_MEMORY_LIMIT', memory, parseSize) }),
    ...(timeout && { timeout: asUsage('TACTIC_TIMEOUT', timeout, parseSeconds) }),
  };
}

function asUsage(name: string, text: string, parse: (text: string) => number): number {
  try {
    return parse(text);
  } catch (error) {
    throw new UserError('bad-variable', `${name}=${text}: ${messageOf(error)}`);
  }
}

const unitBytes: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

function parseSize(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([kmg]?)b?$/i.exec(text) ?? [];
  const bytes = Number(amount) * (unitBytes[unit.toLowerCase()] ?? 0);
  if (!(bytes > 0)) throw new InvalidArgumentError('expected a size, such as 900m or 2g.');
  return bytes;
}
