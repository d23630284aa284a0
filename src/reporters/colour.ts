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

/** Whether to use colours: see no-color.org; FORCE_COLOR is for CI systems that show colours. */
export function paletteFor(
  { isTTY }: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Palette {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '0';
  const wanted = !NO_COLOR && (forced || (isTTY === true && TERM !== 'dumb' && FORCE_COLOR === undefined));
  if (!wanted) return noColours;
  return { good: style('green'), bad: style('red'), dim: style('dim'), strong: style('bold') };
}

function style(name: Parameters<typeof styleText>[0]): Style {
  return (text) => styleText(name, text, { validateStream: false });
}
