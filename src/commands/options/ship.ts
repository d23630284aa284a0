import type { Command } from 'commander';

export function addShipOptions(command: Command): Command {
  return command
    .option('--base <branch>', 'base branch', 'dev')
    .option('--remote <name>', 'remote to push to', 'origin')
    .option('--repo <owner/name>', "GitHub repository (default: from the remote's URL)")
    .option('--no-pull-request', 'push branches only');
}
