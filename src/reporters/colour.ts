import { styleText } from 'node:util';
import type { Output } from './reporter.ts';

export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

const same = (text: string): string => text;
export const noColours: Palette = { good: same, bad: same, dim: same, strong: same };

/** Colours on a terminal that wants them: see no-color.org; FORCE_COLOR is for people whose CI shows colours. */
export function paletteFor(
  { isTTY }: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Palette {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '0';
  const wanted = !NO_COLOR && (forced || (isTTY === true && TERM !== 'dumb' && FORCE_COLOR === undefined));
  if (!wanted) return noColours;
  const style =
    (name: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      styleText(name, text, { validateStream: false });
  return { good: style('green'), bad: style('red'), dim: style('dim'), strong: style('bold') };
}
