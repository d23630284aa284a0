import { styleText } from 'node:util';
import type { Output } from './reporter.ts';

type Style = (text: string) => string;

export interface Palette {
  readonly good: Style;
  readonly bad: Style;
  readonly dim: Style;
  readonly strong: Style;
}

const same: Style = (text) => text;
export const noColours: Palette = { good: same, bad: same, dim: same, strong: same };

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether to use colours: see no-color.org; FORCE_COLOR is for CI systems that show colours. */
export function wantsColours({ isTTY }: Pick<Output, 'isTTY'>, environment: Environment): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '0';
  return !NO_COLOR && (forced || (isTTY === true && TERM !== 'dumb' && FORCE_COLOR === undefined));
}

export function paletteFor(output: Output, environment: Environment): Palette {
  if (!wantsColours(output, environment)) return noColours;
  return { good: style('green'), bad: style('red'), dim: style('dim'), strong: style('bold') };
}

function style(name: Parameters<typeof styleText>[0]): Style {
  return (text) => styleText(name, text, { validateStream: false });
}
