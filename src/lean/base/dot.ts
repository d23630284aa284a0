import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { UserError } from '../../core/errors.ts';
import { writeWhole } from '../../io/whole-file.ts';

/** A text as DOT writes it. */
export const dotText = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`;

export async function svgOfDot(dot: string): Promise<string> {
  return (await Graphviz.load()).dot(dot, 'svg');
}

/** Writes a graph as the file's name asks: drawn, or in DOT. */
export async function writeGraph(file: string, dot: string): Promise<void> {
  if (file.endsWith('.svg')) writeWhole(file, await svgOfDot(dot));
  else if (file.endsWith('.dot')) writeWhole(file, dot);
  else throw new UserError('graph-file', `cannot write ${file}`, 'Name a file that ends in .svg or .dot.');
}
