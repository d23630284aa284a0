import type { Command } from 'commander';
import { addRunOptions, exitFrom, timeoutOption } from '../options/options.ts';

export function registerClinic(program: Command): void {
  addRunOptions(
    program
      .command('clinic')
      .description('Repair broken proofs: keep the steps that work, search from the first step that fails')
      .argument('<draft>', 'a Lean file')
      .option('--write', 'write the repaired proofs into the file instead of printing a patch')
      .option('--agents', 'writer, verifier and golfer compete: the shortest accepted proof wins')
      .option(...timeoutOption),
  )
    .addHelpText(
      'after',
      `
Every repaired proof was judged in the whole file. The others stay as they were, and a ticket asks for each (orch market list).
All strategies take part unless --profile says otherwise.

With --agents, the writer's model plans whole proofs and the verifier goes step by step, each in a run of its own with the limits per
goal; then the golfer shortens the best proof. model_writer, model_verifier and model_golfer choose models. All accepted proofs become
scripts for later runs.`,
    )
    .action(exitFrom(async () => (await import('../../app/clinic.ts')).clinic));
}
