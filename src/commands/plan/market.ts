import os from 'node:os';
import { Option, type Command } from 'commander';
import type { OpenMarket } from '../../app/market.ts';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { Requested } from '../../lean/market/market.ts';
import type { Standing } from '../../lean/market/standing.ts';
import { ticketKinds, type TicketKind } from '../../shared/events.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import { describeTicket, ticketTable } from '../../reporters/tickets.ts';
import { cut, oneLine } from '../../reporters/width.ts';
import { registerMarketGraph } from './market-graph.ts';
import { registerMarketPromote } from './market-promote.ts';
import { registerMarketWork } from './market-work.ts';
import { noTicket } from '../../app/market-work.ts';
import { addLedgerOption, collect, exitWith, numberIn, parseSeconds } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import { readText } from '../../io/text-file.ts';
import { escaped, linesForPeople } from '../../shared/for-people.ts';

interface MarketOptions {
  readonly ledger?: string;
  readonly json?: true;
}

interface PostOptions extends MarketOptions {
  readonly goal: string;
  readonly name: string;
  readonly preamble?: string;
  readonly context: string[];
  readonly constraint: string[];
  readonly dependsOn: string[];
  readonly kind: TicketKind;
  readonly proof?: string;
  readonly priority: number;
  readonly as: string;
}

interface ClaimOptions extends MarketOptions {
  readonly as: string;
  readonly for: number;
}

interface CompleteOptions extends MarketOptions {
  readonly as: string;
  readonly proof: string;
  readonly timeout: number;
}

export function registerMarket(program: Command): void {
  const market = program
    .command('market')
    .description('Request helper lemmas, claim them, deliver their proofs');
  const verb = (name: string, what: string): Command =>
    addLedgerOption(market.command(name).description(what).option('--json', 'print JSON'));
  verb('list', 'List open tickets, most urgent first')
    .option('--all', 'include claimed and completed tickets')
    .action(exitWith(list));
  verb('show', 'Show a ticket').argument('<ticket>').action(exitWith(show));
  verb('post', 'Ask for a lemma; Lean must be able to read it')
    .requiredOption(
      '--goal <text>',
      'the statement: "theorem name binders : type" (def or instance for those kinds), or only the type',
    )
    .option('--name <name>', 'name, if the statement has none', 'helper')
    .option('--preamble <file>', 'a Lean file to load before the statement')
    .option('--context <text>', 'additional context (repeatable)', collect, [])
    .option(
      '--constraint <text>',
      "constraint on the proof: noncomputable, '[simp] desirable', 'imports: A', 'names: A.*', 'without: a', 'axioms: none' (repeatable)",
      collect,
      [],
    )
    .addOption(
      new Option('--kind <kind>', 'what is wanted')
        .choices(ticketKinds)
        .default('lemma' satisfies TicketKind),
    )
    .option('--proof <text>', 'for --kind refactor: the proof that is to become shorter')
    .option('--depends-on <ticket>', 'ticket whose lemma may be needed (repeatable)', collect, [])
    .option('--priority <number>', 'from 0 to 1', numberIn(0, 1), 0.5)
    .option('--as <name>', 'requester', userName())
    .action(exitWith(post));
  verb('claim', 'Claim a ticket for a limited time; exit 1 if someone else has claimed it')
    .argument('<ticket>')
    .option('--as <name>', 'claimant', userName())
    .option('--for <seconds>', 'claim expires after this time', parseSeconds, 3600)
    .action(exitWith(claim));
  verb('complete', 'Deliver a proof; the gate judges it')
    .argument('<ticket>')
    .requiredOption('--proof <text>', 'the proof: "by …" or a term')
    .option('--as <name>', 'contributor', userName())
    .option('--timeout <seconds>', 'wall-clock limit for the gate, set-up excluded', parseSeconds, 30)
    .action(exitWith(complete));
  registerMarketWork(market);
  registerMarketPromote(market);
  registerMarketGraph(market);
}

/** A user without an entry in the user database has no name. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return 'someone';
  }
}

const print = (text: string): void => void process.stdout.write(text);
const printJson = (value: unknown): void => print(`${JSON.stringify(value)}\n`);

/** Adds the field by which scripts recognise a ticket. */
const asRequest = (ticket: TicketRow): object => ({ type: 'lemma_request', ...ticket });

async function list(options: MarketOptions & { readonly all?: true }): Promise<ExitCode> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  await using ledger = await ledgerOf(settingsFrom(settingFlags({ ...options })), { readOnly: true });
  const all = await ledger.tickets.all();
  const tickets = all.filter(({ status }) => options.all || status === 'open');
  if (options.json) for (const ticket of tickets) printJson(asRequest(ticket));
  else if (tickets.length === 0) print('no open tickets\n');
  else print(ticketTable(tickets));
  return ExitCode.done;
}

async function show(id: string, options: MarketOptions): Promise<ExitCode> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  await using ledger = await ledgerOf(settingsFrom(settingFlags({ ...options })), { readOnly: true });
  const ticket = await ledger.tickets.ticket(id);
  if (!ticket) throw noTicket(id);
  if (options.json) printJson(asRequest(ticket));
  else print(describeTicket(ticket));
  return ExitCode.done;
}

async function post(options: PostOptions): Promise<ExitCode> {
  const { settingsFrom } = await import('../../app/settings.ts');
  const { openLean } = await import('../../app/lean.ts');
  const { postLemma } = await import('../../lean/market/post.ts');
  const { imageFor } = await import('../../lean/project/image-choice.ts');
  const settings = settingsFrom(settingFlags({ ...options }));
  const standing = await standingOn(options.preamble);
  await using open = await openMarketFor(options, true);
  await using lean = await openLean(settings, { image: imageFor(standing), slots: 1 });
  const { goal, name, context, constraint, priority, as, dependsOn, kind, proof } = options;
  const wish = { goal, name, kind, proof, context, priority, requester: as, dependencies: dependsOn };
  const posted = await postLemma(lean, open.market, { ...standing, ...wish, constraints: constraint });
  if (!posted.ok) throw new UserError(posted.error.kind, posted.error.message, posted.error.fix);
  const answer = posted.value;
  if (options.json) printJson(answer);
  else print(describePosted(answer));
  return ExitCode.done;
}

/** A preamble is read in the project of its file. */
async function standingOn(file: string | undefined): Promise<Standing> {
  const { environmentOfFile } = await import('../../lean/project/environment.ts');
  if (file === undefined) return { preamble: '', environment: undefined };
  const preamble = readText(file);
  const environment = environmentOfFile(file, preamble);
  return { preamble, environment: environment.project === null ? undefined : environment };
}

async function claim(id: string, options: ClaimOptions): Promise<ExitCode> {
  await using open = await openMarketFor(options);
  const answer = await open.market.claim(id, options.as, options.for);
  if (answer.kind === 'no-ticket') throw noTicket(id);
  if (options.json) printJson(answer);
  else
    print(
      answer.kind === 'claimed'
        ? `claimed: ${describeTicket(answer.ticket)}`
        : `already claimed: ${describeTicket(answer.ticket)}`,
    );
  return answer.kind === 'claimed' ? ExitCode.done : ExitCode.notAll;
}

async function complete(id: string, options: CompleteOptions): Promise<ExitCode> {
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { standingOf } = await import('../../lean/market/standing.ts');
  const { imageFor } = await import('../../lean/project/image-choice.ts');
  await using open = await openMarketFor(options);
  const ticket = await open.market.retrieve(id);
  if (!ticket) throw noTicket(id);
  await using lean = await openLean(settingsFrom(settingFlags({ ...options })), {
    image: imageFor(standingOf(ticket)),
    slots: 1,
  });
  const limits = { deadlineMs: options.timeout * 1000 };
  const answer = await open.market.complete(id, options.as, options.proof, lean.gate, limits);
  if (answer.kind === 'no-ticket') throw noTicket(id);
  if (options.json) printJson(answer);
  else if (answer.kind === 'taken') print(`claimed by someone else: ${describeTicket(answer.ticket)}`);
  else print(`${answer.verdict.verdict}: ${linesForPeople(answer.verdict.message)}\n`);
  if (answer.kind === 'taken') return ExitCode.notAll;
  return { accepted: ExitCode.done, rejected: ExitCode.notAll, unknown: ExitCode.unknown }[
    answer.verdict.verdict
  ];
}

async function openMarketFor(options: MarketOptions, create = false): Promise<OpenMarket> {
  const { openMarket } = await import('../../app/market.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  return await openMarket(settingsFrom(settingFlags({ ...options })), { create });
}

/** The answer to a request: a new ticket, or one that was there. */
function describePosted(answer: Exclude<Requested, { kind: 'refuted' }>): string {
  if (answer.kind === 'known') return `already requested: ${describeTicket(answer.ticket)}`;
  if (answer.kind === 'reused') return `already proved: ${describeTicket(answer.ticket)}`;
  const similar = answer.similar.map(
    ({ ticket }) => escaped`similar: ${ticket.ticket_id}  ${cut(oneLine(ticket.goal), 80)}\n`,
  );
  const word = answer.ticket.merged_into === null ? 'opened' : 'merged into a more general ticket';
  return `${word}: ${describeTicket(answer.ticket)}${similar.join('')}`;
}
