import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { dotText, svgOfDot } from '../base/dot.ts';
import type { Statement } from './blueprint.ts';
import type { Edge, NodeState, StatedBlueprint } from './states.ts';

/** The colours of leanblueprint: borders show the statement, fills the proof. */
const usualColours: Readonly<Record<keyof NodeState, string>> = {
  mathlib: 'darkgreen',
  stated: 'green',
  can_state: 'blue',
  not_ready: '#FFAA33',
  proved: '#9CEC8B',
  can_prove: '#A3D6FF',
  defined: '#B0ECA3',
  fully_proved: '#1CAC78',
};

export interface GraphOptions {
  /** Whether titles are shown as tooltips; labels always are. */
  readonly titles?: boolean;
}

/** The dependency graph in DOT, as leanblueprint writes it: dashed edges for statements, others for proofs. */
export async function graphDot(
  stated: StatedBlueprint,
  { titles = true }: GraphOptions = {},
): Promise<string> {
  const { statements, settings } = stated.blueprint;
  const lines = [
    'digraph {',
    '  graph [bgcolor=transparent];',
    '  node [penwidth=1.8];',
    '  edge [arrowhead=vee];',
    ...statements.map((statement) => `  ${nodeLine(stated, statement, titles)}`),
    ...stated.edges.map((edge) => `  ${edgeLine(edge)}`),
    '}',
  ];
  const dot = `${lines.join('\n')}\n`;
  return settings.reduced ? (await Graphviz.load()).tred(dot).out : dot;
}

export async function graphSvg(stated: StatedBlueprint, options?: GraphOptions): Promise<string> {
  return await svgOfDot(await graphDot(stated, options));
}

/** Border and fill of a node. */
export function coloursOf(
  { blueprint: { settings }, states }: StatedBlueprint,
  statement: Statement,
): { readonly border?: string | undefined; readonly fill?: string | undefined } {
  const palette = { ...usualColours, ...settings.colours };
  const state = states.get(statement);
  return state ? { border: borderOf(state, palette), fill: fillOf(statement, state, palette) } : {};
}

function nodeLine(stated: StatedBlueprint, statement: Statement, titles: boolean): string {
  const { border, fill } = coloursOf(stated, statement);
  const attributes = [
    `label=${dotText(statement.id.split(':').at(-1) ?? statement.id)}`,
    `tooltip=${dotText((titles && statement.title) || statement.id)}`,
    `shape=${statement.kind === 'definition' ? 'box' : 'ellipse'}`,
    ...(border === undefined ? [] : [`color=${dotText(border)}`]),
    ...(fill === undefined ? [] : ['style=filled', `fillcolor=${dotText(fill)}`]),
  ];
  return `${dotText(statement.id)} [${attributes.join(', ')}];`;
}

const edgeLine = ({ from, to, inStatement }: Edge): string =>
  `${dotText(from.id)} -> ${dotText(to.id)}${inStatement ? ' [style=dashed]' : ''};`;

function borderOf(state: NodeState, palette: typeof usualColours): string | undefined {
  if (state.mathlib) return palette.mathlib;
  if (state.stated) return palette.stated;
  if (state.can_state) return palette.can_state;
  return state.not_ready ? palette.not_ready : undefined;
}

function fillOf(statement: Statement, state: NodeState, palette: typeof usualColours): string | undefined {
  if (statement.kind === 'definition' && state.stated) return palette.defined;
  if (statement.kind === 'definition' && state.can_state) return palette.can_prove;
  if (statement.kind !== 'definition' && state.fully_proved) return palette.fully_proved;
  if (state.proved) return palette.proved;
  return state.can_prove && (state.can_state || state.stated) ? palette.can_prove : undefined;
}
