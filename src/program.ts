import { Command } from 'commander';
import { invocation } from './core/invocation.ts';
import { packageVersion } from './config/package.ts';
import { addExamples } from './commands/options/help-examples.ts';
import { addListed, readListing } from './commands/options/listing.ts';

/** Every command by its name, in the order of `--help`; each file registers its own. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  tour: async () => (await import('./commands/run/tour.ts')).registerTour,
  doctor: async () => (await import('./commands/look/doctor.ts')).registerDoctor,
  trust: async () => (await import('./commands/look/trust.ts')).registerTrust,
  check: async () => (await import('./commands/judge/check.ts')).registerCheck,
  kernel: async () => (await import('./commands/judge/kernel.ts')).registerKernel,
  goals: async () => (await import('./commands/look/goals.ts')).registerGoals,
  trace: async () => (await import('./commands/look/trace.ts')).registerTrace,
  tactic: async () => (await import('./commands/judge/tactic.ts')).registerTactic,
  repl: async () => (await import('./commands/judge/repl.ts')).registerRepl,
  mcp: async () => (await import('./commands/serve/mcp.ts')).registerMcp,
  serve: async () => (await import('./commands/serve/serve.ts')).registerServe,
  bank: async () => (await import('./commands/run/bank.ts')).registerBank,
  run: async () => (await import('./commands/run/run.ts')).registerRun,
  prove: async () => (await import('./commands/run/prove.ts')).registerProve,
  bg: async () => (await import('./commands/run/bg.ts')).registerBackground,
  daemon: async () => (await import('./commands/serve/daemon.ts')).registerDaemon,
  worker: async () => (await import('./commands/serve/worker.ts')).registerWorker,
  resume: async () => (await import('./commands/run/resume.ts')).registerResume,
  retry: async () => (await import('./commands/run/retry.ts')).registerRetry,
  replay: async () => (await import('./commands/run/replay.ts')).registerReplay,
  clinic: async () => (await import('./commands/judge/clinic.ts')).registerClinic,
  golf: async () => (await import('./commands/judge/golf.ts')).registerGolf,
  sanity: async () => (await import('./commands/run/sanity.ts')).registerSanity,
  stats: async () => (await import('./commands/look/stats.ts')).registerStats,
  cache: async () => (await import('./commands/look/cache.ts')).registerCache,
  lab: async () => (await import('./commands/look/lab.ts')).registerLab,
  pin: async () => (await import('./commands/plan/pin.ts')).registerPin,
  market: async () => (await import('./commands/plan/market.ts')).registerMarket,
  ledger: async () => (await import('./commands/look/ledger.ts')).registerLedger,
  why: async () => (await import('./commands/look/why.ts')).registerWhy,
  profile: async () => (await import('./commands/look/profile.ts')).registerProfile,
  premises: async () => (await import('./commands/look/premises.ts')).registerPremises,
  models: async () => (await import('./commands/look/models.ts')).registerModels,
  dashboard: async () => (await import('./commands/serve/dashboard.ts')).registerDashboard,
  report: async () => (await import('./commands/look/report.ts')).registerReport,
  lean: async () => (await import('./commands/look/lean.ts')).registerLean,
  compare: async () => (await import('./commands/look/compare.ts')).registerCompare,
  blueprint: async () => (await import('./commands/plan/blueprint.ts')).registerBlueprint,
  adopt: async () => (await import('./commands/plan/adopt.ts')).registerAdopt,
  init: async () => (await import('./commands/plan/init.ts')).registerInit,
  ship: async () => (await import('./commands/plan/ship.ts')).registerShip,
  sweep: async () => (await import('./commands/run/sweep.ts')).registerSweep,
  milestone: async () => (await import('./commands/plan/milestone.ts')).registerMilestone,
  arc: async () => (await import('./commands/arc/arc.ts')).registerArc,
  explain: async () => (await import('./commands/look/explain.ts')).registerExplain,
  completion: async () => (await import('./commands/look/completion.ts')).registerCompletion,
};

/** The program with every command. */
export async function makeProgram(): Promise<Command> {
  return await programWith(async (program) => {
    for (const load of Object.values(commands)) (await load())(program);
  });
}

/** The program for these arguments. Loading every command takes longer than most of them run, so only the named one is loaded. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const name = (args[0] === 'help' ? args[1] : args[0]) ?? '';
  if (!isCommand(name) && args.some(isCommand)) return await makeProgram();
  return await programWith(async (program) => {
    if (isCommand(name)) (await commands[name]?.())?.(program);
    else for (const listed of readListing().commands) addListed(program, listed);
  });
}

function isCommand(word: string): boolean {
  return Object.hasOwn(commands, word);
}

async function programWith(addCommands: (program: Command) => Promise<void>): Promise<Command> {
  const program = new Command('orch')
    .description('Find Lean 4 proofs and ARC rules, each verified by a trusted checker')
    .version(packageVersion())
    .showHelpAfterError(`(${invocation()} --help lists the commands)`);
  await addCommands(program);
  addExamples(program);
  for (const command of program.commands)
    nameHelp(command, `${invocation()} ${command.name()}`, 'has examples');
  return program;
}

function nameHelp(command: Command, typed: string, what: string): void {
  command.showHelpAfterError(`(${typed} --help ${what})`);
  for (const below of command.commands) nameHelp(below, `${typed} ${below.name()}`, 'explains it');
}
