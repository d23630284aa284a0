import type { Command } from 'commander';
import { settingFlags } from '../../config/flags.ts';
import { ExitCode } from '../../core/exit.ts';
import { escaped } from '../../shared/for-people.ts';
import { addLedgerOption, exitWith } from '../options/options.ts';

interface PinOptions {
  readonly ledger?: string;
  readonly off?: true;
  readonly json?: true;
}

export function registerPin(program: Command): void {
  addLedgerOption(
    program
      .command('pin')
      .description('Put goals or blueprint nodes on the critical path, whatever the graph says')
      .argument('[names...]', 'names of goals, or labels of nodes (default: show what is pinned)')
      .option('--off', 'take them off again')
      .option('--json', 'print JSON'),
  ).action(exitWith(pin));
}

/** Later runs take pinned goals first; active runs keep their order. */
async function pin(names: readonly string[], options: PinOptions): Promise<ExitCode> {
  const { settingsFrom } = await import('../../app/settings.ts');
  const { openMarket } = await import('../../app/market.ts');
  const { unknownPins } = await import('../../app/pins.ts');
  await using open = await openMarket(settingsFrom(settingFlags({ ledger: options.ledger })), {
    create: names.length > 0,
  });
  if (options.off !== true)
    for (const { name, meant } of unknownPins(names, '.'))
      process.stderr.write(
        escaped`orch: no declaration or blueprint node here is called ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}\n  To take it off again: orch pin ${name} --off\n`,
      );
  for (const name of new Set(names)) await open.market.pin(name, options.off !== true);
  const pinned = await open.market.pins();
  if (options.json) process.stdout.write(`${JSON.stringify(pinned)}\n`);
  else
    process.stdout.write(
      pinned.length === 0 ? 'nothing is pinned\n' : pinned.map((name) => escaped`${name}\n`).join(''),
    );
  return ExitCode.done;
}
