import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { UserError } from '../../core/errors.ts';
import { writeWhole } from '../../io/whole-file.ts';

/** A quoted string in DOT. */
export const dotText = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`;

export async function svgOfDot(dot: string): Promise<string> {
  return (await Graphviz.load()).dot(dot, 'svg');
}

/** Writes a graph to a file: as a drawing (.svg) or in DOT (.dot). */
export async function writeGraph(file: string, dot: string): Promise<void> {
  if (file.endsWith('.svg')) writeWhole(file, await svgOfDot(dot));
  else if (file.endsWith('.dot')) writeWhole(file, dot);
  else
    throw new UserError('graph-file', `cannot write ${file}`, 'Use a file name that ends in .svg or .dot.');
}
