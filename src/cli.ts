import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { registerArc } from './commands/arc.ts';
import { registerBackground } from './commands/bg.ts';
import { registerBank } from './commands/bank.ts';
import { registerBlueprint } from './commands/blueprint.ts';
import { registerCheck } from './commands/check.ts';
import { registerClinic } from './commands/clinic.ts';
import { registerCompare } from './commands/compare.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerDashboard } from './commands/dashboard.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerExplain } from './commands/explain.ts';
import { registerGoals } from './commands/goals.ts';
import { registerGolf } from './commands/golf.ts';
import { registerInit } from './commands/init.ts';
import { registerLean } from './commands/lean.ts';
import { registerLedger } from './commands/ledger.ts';
import { registerMarket } from './commands/market.ts';
import { registerMilestone } from './commands/milestone.ts';
import { registerProve } from './commands/prove.ts';
import { registerRepl } from './commands/repl.ts';
import { registerMcp } from './commands/mcp.ts';
import { registerReport } from './commands/report.ts';
import { registerResume } from './commands/resume.ts';
import { registerRetry } from './commands/retry.ts';
import { registerRun } from './commands/run.ts';
import { registerSanity } from './commands/sanity.ts';
import { registerServe } from './commands/serve.ts';
import { registerShip } from './commands/ship.ts';
import { registerSweep } from './commands/sweep.ts';
import { registerStats } from './commands/stats.ts';
import { registerTactic } from './commands/tactic.ts';
import { registerTour } from './commands/tour.ts';
import { registerTrace } from './commands/trace.ts';
import { registerPremises } from './commands/premises.ts';
import { registerWhy } from './commands/why.ts';
import { packageRoot, packageVersion } from './config/package.ts';
import { UserError } from './core/errors.ts';
import { ExitCode } from './core/exit.ts';

process.exitCode = await main(process.argv.slice(2));

/** Parse → options → command → exit code. Each command file registers itself and sets the exit code when it ends. */
async function main(args: string[]): Promise<number> {
  goWhereTheUserIs();
  const program = new Command('orch')
    .description('Finds Lean 4 proofs and ARC rules, and lets a trusted checker judge every one.')
    .version(packageVersion())
    .showHelpAfterError('(orch --help lists the commands)');
  registerTour(program);
  registerDoctor(program);
  registerCheck(program);
  registerGoals(program);
  registerTrace(program);
  registerTactic(program);
  registerRepl(program);
  registerMcp(program);
  registerServe(program);
  registerBank(program);
  registerRun(program);
  registerProve(program);
  registerBackground(program);
  registerResume(program);
  registerRetry(program);
  registerClinic(program);
  registerGolf(program);
  registerSanity(program);
  registerStats(program);
  registerMarket(program);
  registerLedger(program);
  registerWhy(program);
  registerPremises(program);
  registerDashboard(program);
  registerReport(program);
  registerLean(program);
  registerCompare(program);
  registerBlueprint(program);
  registerInit(program);
  registerShip(program);
  registerSweep(program);
  registerMilestone(program);
  registerArc(program);
  registerExplain(program);
  registerCompletion(program);
  stopAtUsageErrors(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? ExitCode.done);
  } catch (error) {
    return explain(error);
  }
}

/** `npm run orch` starts in the folder of the package, and says from where it was called. */
function goWhereTheUserIs(): void {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  const isAtHome = path.resolve(packageRoot) === process.cwd();
  if (script === 'orch' && isAtHome && folder) process.chdir(folder);
}

/** Commander exits by itself unless told not to, and would exit 1 for a usage error; ours is 2. */
function stopAtUsageErrors(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) stopAtUsageErrors(child);
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.broken;
  if (error instanceof UserError) {
    process.stderr.write(`orch: ${error.message}\n${error.hint ? `  ${error.hint}\n` : ''}`);
    return ExitCode.broken;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`orch: unexpected error (a bug; please report it)\n${stack}\n`);
  return ExitCode.broken;
}
