import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { graphDot } from './graph.ts';
import type { StatedBlueprint } from './states.ts';

/** A drawing of the graph in numbers: points from the top left corner. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: ReadonlyMap<string, Box>;
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[];
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface GraphvizObject {
  readonly name: string;
  readonly pos?: string;
  readonly width?: string;
  readonly height?: string;
}

interface GraphvizJson {
  readonly bb: string;
  readonly objects?: readonly GraphvizObject[];
  readonly edges?: readonly { readonly tail: number; readonly head: number; readonly pos?: string }[];
}

const pointsPerInch = 72;

/** Graphviz's layout. Equal graphs have equal layouts, so nodes stay put when one turns green. */
export async function layOut(stated: StatedBlueprint): Promise<Layout> {
  const graphviz = await Graphviz.load();
  const drawn = JSON.parse(graphviz.dot(await graphDot(stated), 'json')) as GraphvizJson;
  const [, , width = 0, height = 0] = numbers(drawn.bb);
  // Graphviz counts from the bottom
  const up = (y: number): number => height - y;
  const objects = drawn.objects ?? [];
  return {
    width,
    height,
    nodes: new Map(
      objects.map(({ name, pos = '', width: wide, height: high }) => {
        const [x = 0, y = 0] = numbers(pos);
        const box = {
          x,
          y: up(y),
          width: pointsPerInch * Number(wide ?? 0),
          height: pointsPerInch * Number(high ?? 0),
        };
        return [name, box];
      }),
    ),
    edges: (drawn.edges ?? []).map(({ tail, head, pos = '' }) => ({
      from: objects[tail]?.name ?? '',
      to: objects[head]?.name ?? '',
      path: splinePath(pos, up),
    })),
  };
}

/** `e,x,y p0 p1 p2 p3 …`: the tip of the arrow, then Bézier curves. */
function splinePath(spline: string, up: (y: number) => number): string {
  const at = (text: string): string => {
    const [x = 0, y = 0] = numbers(text);
    return `${x.toFixed(1)} ${up(y).toFixed(1)}`;
  };
  const parts = spline.split(' ');
  const end = parts.find((part) => part.startsWith('e,'))?.slice(2);
  const [first = '0,0', ...curves] = parts.filter((part) => !/^[es],/.test(part));
  return `M${at(first)} C${curves.map(at).join(' ')}${end === undefined ? '' : ` L${at(end)}`}`;
}

const numbers = (text: string): number[] => text.split(',').map(Number);
