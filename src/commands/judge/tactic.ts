import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { Lean } from '../../app/lean.ts';
import type { LeanEnvironment } from '../../lean/project/environment.ts';
import { addProjectOptions, exitWith, parseSeconds } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import { readText } from '../../io/text-file.ts';
import { harmless } from '../../shared/for-people.ts';

interface TacticOptions {
  readonly stmt?: string;
  readonly preamble?: string;
  readonly stepTimeout: number;
}

export function registerTactic(program: Command): void {
  addProjectOptions(program.command('tactic'))
    .description('Step through a proof interactively')
    .argument('[place]', 'FILE:LINE of a sorry')
    .option('--stmt <text>', 'the statement: "theorem name binders : type"')
    .option('--preamble <file>', 'a Lean file to load before the statement')
    .option('--step-timeout <seconds>', 'time limit per tactic', parseSeconds, 10)
    .action(exitWith(tactic));
}

const help = `  TACTIC        run a tactic on the current goals (also: try TACTIC)
  goals         show the goals again
  undo          back to the state before
  tree          every state so far; * marks the current state
  goto N        go to state N of the tree
  proof         the script so far
  quit          leave (or end of input)
`;

const print = (text: string): void => void process.stdout.write(harmless(text));

async function tactic(place: string | undefined, options: TacticOptions): Promise<ExitCode> {
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { ProofTree } = await import('../../lean/workbench/proof-tree.ts');
  const { libraryOf } = await import('../../lean/project/environment.ts');
  const { imageOf } = await import('../../lean/project/image-choice.ts');
  const wanted = await askedFor(place, options);
  const image = imageOf(libraryOf(wanted.environment));
  await using lean = await openLean(settingsFrom(settingFlags({ ...options })), {
    image,
    files: [...('line' in wanted ? [wanted.file] : []), ...(options.preamble ? [options.preamble] : [])],
    slots: 1,
  });
  const { preamble, statement, environment } = 'line' in wanted ? await goalAt(wanted, lean) : wanted;
  using lease = await lean.pool.lease({ environment });
  const started = await ProofTree.start(lease, preamble, statement, options.stepTimeout * 1000);
  if (!started.ok)
    throw new UserError('bad-statement', `the statement has an error: ${started.error.message}`);
  const tree = started.value;

  print(`${tree.describeGoals()}\n`);
  const input = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: '⊢ ',
    terminal: process.stdin.isTTY,
  });
  // input may end while a tactic runs; files and pipes need no prompt
  let isOpen = process.stdin.isTTY;
  input.once('close', () => (isOpen = false));
  const prompt = (): void => {
    if (isOpen) input.prompt();
  };
  prompt();
  for await (const line of input) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    if (word === 'quit' || word === 'exit') break;
    if (word === 'help') print(help);
    else if (word === 'goals') print(`${tree.describeGoals()}\n`);
    else if (word === 'tree') print(`${tree.describeTree()}\n`);
    else if (word === 'proof') print(`${tree.script()}\n`);
    else if (word === 'undo') print(tree.undo() ? `${tree.describeGoals()}\n` : 'nothing to undo\n');
    else if (word === 'goto')
      print(tree.goTo(Number(rest[0])) ? `${tree.describeGoals()}\n` : 'no such state; tree lists them\n');
    else if (word !== '') {
      const outcome = await tree.tryTactic(line.trim().replace(/^try\s+(?=\S)/, ''));
      print(outcome === undefined ? `${tree.describeGoals()}\n` : `✗ ${outcome.kind}: ${outcome.message}\n`);
    }
    if (tree.closed) break;
    prompt();
  }
  input.close();
  return tree.closed ? await judge(tree.script()) : ExitCode.notAll;

  /** The tactics report that no goals are left. Only the gate decides whether the script is a proof. */
  async function judge(script: string): Promise<ExitCode> {
    lease.release();
    const verdict = await lean.gate.check(
      { preamble, environment, statement, proof: script },
      { deadlineMs: 30_000 },
    );
    print(
      `\n${statement} := ${script}\n\n${verdict.verdict === 'accepted' ? '✓' : '✗'} ${verdict.verdict}: ${verdict.message}\n`,
    );
    if (verdict.verdict === 'accepted') return ExitCode.done;
    return verdict.verdict === 'rejected' ? ExitCode.notAll : ExitCode.unknown;
  }
}

interface Stated {
  readonly preamble: string;
  readonly statement: string;
  readonly environment: LeanEnvironment;
}

interface SorryPlace {
  readonly file: string;
  readonly line: number;
  readonly environment: LeanEnvironment;
}

async function askedFor(
  place: string | undefined,
  { stmt, preamble: file }: TacticOptions,
): Promise<Stated | SorryPlace> {
  const { environmentOf, environmentOfFile } = await import('../../lean/project/environment.ts');
  const [, source = '', line = ''] = /^(.+):(\d+)(?::\d+)?$/.exec(place ?? '') ?? [];
  if (place !== undefined && stmt === undefined && source !== '')
    return { file: source, line: Number(line), environment: environmentOfFile(source, readText(source)) };
  if (place !== undefined || stmt === undefined)
    throw new UserError(
      'tactic-usage',
      'tactic needs FILE:LINE of a sorry, or --stmt',
      'For example: orch tactic A.lean:12',
    );
  const preamble = file === undefined ? '' : readText(file);
  return {
    preamble,
    statement: stmt,
    environment: file === undefined ? environmentOf('') : environmentOfFile(file, preamble),
  };
}

/** The goal of the first sorry of a line. */
async function goalAt({ file, line, environment }: SorryPlace, lean: Lean): Promise<Stated> {
  const { readLeanText } = await import('../../lean/goals/lean-file.ts');
  const read = await lean.pool.use(
    async (lease) => await readLeanText(lease, readText(file), file, environment),
    { environment },
  );
  if (!read.ok) throw new UserError('unreadable-file', `${file}: ${read.error.message}`);
  const found = read.value.goals.find(({ sorries }) => sorries.some(({ start }) => start[0] === line));
  if (found?.goal) return { preamble: found.goal.preamble, statement: found.goal.statement, environment };
  const lines = read.value.goals.flatMap(({ sorries }) => sorries.map(({ start }) => start[0]));
  throw new UserError(
    'no-sorry',
    found ? `${file}:${line}: ${found.message}` : `${file} has no sorry on line ${line}`,
    lines.length > 0 ? `There are some in ${lines.join(', ')}.` : 'The file has none.',
  );
}
