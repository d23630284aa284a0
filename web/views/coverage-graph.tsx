import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { BlueprintView, NodeView } from '../../src/shared/coverage.ts';

/** The visible part of the drawing. */
interface Sight {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const margin = 12;
const zoomStep = 1.25;
/** Maximum zoom: at least this many units across. */
const closest = 120;

/** The dependency graph with Graphviz's layout. Pan and zoom change the visible part. */
export function CoverageGraph({
  blueprint,
  search,
  chosen,
  onSearch,
  onChoose,
}: {
  blueprint: BlueprintView;
  search: string;
  chosen: string | null;
  onSearch: (text: string) => void;
  onChoose: (id: string) => void;
}): JSX.Element {
  const { nodes, edges, width, height } = blueprint;
  const isCritical = (from: string, to: string): boolean => {
    const place = blueprint.path.indexOf(from);
    return place >= 0 && (blueprint.path[place + 1] === to || blueprint.path[place - 1] === to);
  };
  const whole: Sight = { x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin };
  const [sight, setSight] = useState(whole);
  const svg = useRef<SVGSVGElement>(null);
  const held = useRef<{ readonly x: number; readonly y: number; readonly from: Sight } | null>(null);
  const hits =
    search === '' ? null : new Set(nodes.filter((node) => matches(node, search)).map(({ id }) => id));

  const zoom = (factor: number, middle = centre(sight)): void => {
    const wide = Math.min(Math.max(closest, sight.width * factor), 2 * whole.width);
    const scale = wide / sight.width;
    setSight({
      x: middle.x - (middle.x - sight.x) * scale,
      y: middle.y - (middle.y - sight.y) * scale,
      width: wide,
      height: sight.height * scale,
    });
  };
  const move = (right: number, down: number): void =>
    setSight({ ...sight, x: sight.x + right * sight.width, y: sight.y + down * sight.height });
  const find = (): void => {
    const hit = nodes.find(({ id }) => hits?.has(id));
    if (!hit) return;
    setSight({ x: hit.x - 150, y: hit.y - 90, width: 300, height: 180 });
    onChoose(hit.id);
  };
  return (
    <div>
      <div class="row" style={{ marginBottom: '8px' }}>
        <input
          class="field"
          type="search"
          placeholder="Find a node"
          aria-label="Find a node"
          value={search}
          onInput={({ currentTarget }) => onSearch(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && find()}
        />
        <span class="quiet" role="status">
          {hits === null ? '' : `${hits.size} found`}
        </span>
        <span class="right row">
          <button class="button" type="button" aria-label="Zoom in" onClick={() => zoom(1 / zoomStep)}>
            +
          </button>
          <button class="button" type="button" aria-label="Zoom out" onClick={() => zoom(zoomStep)}>
            −
          </button>
          <button class="button" type="button" onClick={() => setSight(whole)}>
            Show all
          </button>
        </span>
      </div>
      <svg
        ref={svg}
        role="group"
        aria-label="Dependency graph"
        tabindex={0}
        viewBox={`${sight.x} ${sight.y} ${sight.width} ${sight.height}`}
        width="100%"
        height="420"
        style={{ touchAction: 'none', cursor: 'grab' }}
        onWheel={(wheel) => {
          wheel.preventDefault();
          zoom(wheel.deltaY > 0 ? zoomStep : 1 / zoomStep, pointIn(svg.current, sight, wheel));
        }}
        onKeyDown={(press) => {
          const steps: Readonly<Record<string, () => void>> = {
            '+': () => zoom(1 / zoomStep),
            '-': () => zoom(zoomStep),
            ArrowLeft: () => move(-0.1, 0),
            ArrowRight: () => move(0.1, 0),
            ArrowUp: () => move(0, -0.1),
            ArrowDown: () => move(0, 0.1),
          };
          const step = steps[press.key];
          if (!step) return;
          press.preventDefault();
          step();
        }}
        onPointerDown={(down) => {
          held.current = { x: down.clientX, y: down.clientY, from: sight };
        }}
        onPointerMove={(now) => {
          const start = held.current;
          if (!start || now.buttons === 0) return;
          const scale = scaleOf(svg.current, start.from);
          setSight({
            ...start.from,
            x: start.from.x - (now.clientX - start.x) * scale,
            y: start.from.y - (now.clientY - start.y) * scale,
          });
        }}
        onPointerUp={() => (held.current = null)}
      >
        <defs>
          <marker
            id="coverage-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8" fill="none" stroke="var(--ink-3)" />
          </marker>
        </defs>
        {edges.map(({ from, to, path, in_statement: inStatement }) => (
          <path
            key={`${from} ${to}`}
            d={path}
            fill="none"
            stroke="var(--ink-3)"
            stroke-width={isCritical(from, to) ? 3 : 1}
            stroke-dasharray={inStatement ? '4 3' : undefined}
            marker-end="url(#coverage-arrow)"
            opacity={hits === null || (hits.has(from) && hits.has(to)) ? 1 : 0.25}
          />
        ))}
        {nodes.map((node) => (
          <Node
            key={node.id}
            node={node}
            isFaint={hits !== null && !hits.has(node.id)}
            isChosen={node.id === chosen}
            onChoose={onChoose}
          />
        ))}
      </svg>
    </div>
  );
}

function Node({
  node,
  isFaint,
  isChosen,
  onChoose,
}: {
  node: NodeView;
  isFaint: boolean;
  isChosen: boolean;
  onChoose: (id: string) => void;
}): JSX.Element {
  const { id, x, y, width, height, border, fill, title } = node;
  const shape = {
    fill: fill ?? 'transparent',
    stroke: border ?? 'var(--ink-3)',
    'stroke-width': isChosen ? 4 : 1.8,
  };
  return (
    <g
      role="button"
      tabindex={0}
      aria-label={title === '' ? id : `${id}: ${title}`}
      aria-pressed={isChosen}
      opacity={isFaint ? 0.25 : 1}
      style={{ cursor: 'pointer' }}
      onClick={() => onChoose(id)}
      onKeyDown={({ key }) => key === 'Enter' && onChoose(id)}
    >
      <title>{title === '' ? id : title}</title>
      {node.kind === 'definition' ? (
        <rect x={x - width / 2} y={y - height / 2} width={width} height={height} {...shape} />
      ) : (
        <ellipse cx={x} cy={y} rx={width / 2} ry={height / 2} {...shape} />
      )}
      <text x={x} y={y + 4} text-anchor="middle" font-size="12" fill={fill === null ? 'var(--ink)' : '#111'}>
        {id.split(':').at(-1)}
      </text>
    </g>
  );
}

function matches({ id, title, declarations }: NodeView, search: string): boolean {
  const wanted = search.toLowerCase();
  return [id, title, ...declarations].some((text) => text.toLowerCase().includes(wanted));
}

const centre = ({ x, y, width, height }: Sight) => ({ x: x + width / 2, y: y + height / 2 });

/** Drawing units per screen pixel, when the whole drawing fits. */
function scaleOf(svg: SVGSVGElement | null, { width, height }: Sight): number {
  const box = svg?.getBoundingClientRect();
  return box && box.width > 0 ? Math.max(width / box.width, height / box.height) : 1;
}

function pointIn(
  svg: SVGSVGElement | null,
  sight: Sight,
  { clientX, clientY }: MouseEvent,
): { x: number; y: number } {
  const box = svg?.getBoundingClientRect();
  if (!box) return centre(sight);
  const scale = scaleOf(svg, sight);
  const middle = centre(sight);
  return {
    x: middle.x + (clientX - box.left - box.width / 2) * scale,
    y: middle.y + (clientY - box.top - box.height / 2) * scale,
  };
}
