import { Command } from 'commander';
import { packageVersion } from '../config/package.ts';
import { registerArc } from './arc.ts';
import { registerBackground } from './bg.ts';
import { registerBank } from './bank.ts';
import { registerBlueprint } from './blueprint.ts';
import { registerCheck } from './check.ts';
import { registerClinic } from './clinic.ts';
import { registerCompare } from './compare.ts';
import { registerCompletion } from './completion.ts';
import { registerDashboard } from './dashboard.ts';
import { registerDoctor } from './doctor.ts';
import { addExamples } from './examples.ts';
import { registerExplain } from './explain.ts';
import { registerGoals } from './goals.ts';
import { registerGolf } from './golf.ts';
import { registerInit } from './init.ts';
import { registerLean } from './lean.ts';
import { registerLedger } from './ledger.ts';
import { registerMarket } from './market.ts';
import { registerMilestone } from './milestone.ts';
import { registerProve } from './prove.ts';
import { registerRepl } from './repl.ts';
import { registerMcp } from './mcp.ts';
import { registerReplay } from './replay.ts';
import { registerReport } from './report.ts';
import { registerResume } from './resume.ts';
import { registerRetry } from './retry.ts';
import { registerRun } from './run.ts';
import { registerSanity } from './sanity.ts';
import { registerServe } from './serve.ts';
import { registerShip } from './ship.ts';
import { registerSweep } from './sweep.ts';
import { registerStats } from './stats.ts';
import { registerTactic } from './tactic.ts';
import { registerTour } from './tour.ts';
import { registerTrace } from './trace.ts';
import { registerPremises } from './premises.ts';
import { registerWhy } from './why.ts';
import { registerWorker } from './worker.ts';

/** Every command; each file registers its own. */
export function makeProgram(): Command {
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
  registerWorker(program);
  registerResume(program);
  registerRetry(program);
  registerReplay(program);
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
  addExamples(program);
  for (const command of program.commands)
    command.showHelpAfterError(`(orch ${command.name()} --help has examples)`);
  return program;
}
