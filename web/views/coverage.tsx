import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { BlueprintView, ChapterView, NodeView } from '../../src/shared/coverage.ts';
import { useAnswer } from '../data/context.ts';
import { count, percent, whole } from '../data/format.ts';
import { Card, Code, Empty, Figures, Shown } from '../parts/blocks.tsx';
import { Chart, type Line } from '../parts/chart.tsx';
import { Stack, State } from '../parts/marks.tsx';
import { href, replaceQuery } from '../route.ts';
import { CoverageGraph } from './coverage-graph.tsx';
import { Heading } from './heading.tsx';
import type { ViewProps } from './props.ts';

/** Number of critical nodes listed. */
const listed = 12;

/** Progress of the formalisation: by chapter, as a graph, by critical node, and over time. */
export function CoverageView(props: ViewProps): JSX.Element {
  const coverage = useAnswer(
    'coverage',
    async (source) => await source.coverage(),
    ({ type }) => type === 'goal-closed' || type === 'run-finished',
  );
  const total = coverage.kind === 'here' ? coverage.value.blueprint?.total : undefined;
  return (
    <>
      <Heading title="Coverage">
        {total ? `${count(total.proved)} of ${count(total.proofs)} proofs of the blueprint` : ''}
      </Heading>
      <Shown answer={coverage}>
        {({ blueprint }) =>
          blueprint === null ? (
            <Empty title="No blueprint here">
              orch reads blueprint/src of the project; orch init creates one.
            </Empty>
          ) : (
            <Blueprint {...props} blueprint={blueprint} />
          )
        }
      </Shown>
    </>
  );
}

function Blueprint({ blueprint, route }: ViewProps & { blueprint: BlueprintView }): JSX.Element {
  const { total, chapters, nodes, path, history } = blueprint;
  const chosen = nodes.find(({ id }) => id === route.query.get('node'));
  return (
    <div class="grid">
      <Card>
        <Figures
          figures={[
            { name: 'Stated', value: count(total.stated), of: `of ${count(total.nodes)}` },
            { name: 'Proved', value: count(total.proved), of: `of ${count(total.proofs)}` },
            {
              name: 'Fully proved',
              value: count(total.fully_proved),
              of: `of ${count(total.nodes)}`,
              note: 'with definitions',
            },
            { name: 'Ready to be stated', value: count(total.can_state) },
            { name: 'Ready to be proved', value: count(total.can_prove) },
          ]}
        />
      </Card>
      <Card title="Dependencies" note="drag to move, scroll to zoom, click a node for details">
        <CoverageGraph
          blueprint={blueprint}
          search={route.query.get('q') ?? ''}
          chosen={chosen?.id ?? null}
          onSearch={(text) => replaceQuery(route, { q: text || null })}
          onChoose={(id) => replaceQuery(route, { node: id })}
        />
        <CoverageLegend />
        {chosen ? <Chosen node={chosen} blueprint={blueprint} /> : null}
      </Card>
      <Card class="w6" title="By chapter">
        <ul class="files">
          {chapters.map((chapter) => (
            <li key={chapter.chapter}>
              <Chapter chapter={chapter} />
            </li>
          ))}
        </ul>
      </Card>
      <Card class="w6" title="Most valuable to work on" note="blocked work × chance ÷ CPU-seconds">
        <Critical nodes={nodes} />
        {path.length < 2 ? null : (
          <p class="quiet" style={{ marginTop: '10px' }}>
            Critical path, the longest chain of unproved nodes: {path.join(' → ')}
          </p>
        )}
      </Card>
      <Card title="Progress by run" note="proofs of the blueprint after each run">
        <History history={history} />
      </Card>
    </div>
  );
}

function Chapter({ chapter: { chapter, proved, proofs, nodes } }: { chapter: ChapterView }): JSX.Element {
  const name = chapter === '' ? 'before the first chapter' : chapter;
  return (
    <div class="file">
      <b class="cut">{name}</b>
      <Stack
        thin
        label={name}
        parts={[
          { name: 'solved', value: proved },
          { name: 'queued', value: proofs - proved },
        ]}
      />
      <span class="quiet n">
        {proofs === 0
          ? `${count(nodes)} definitions`
          : `${count(proved)} of ${count(proofs)}, ${percent(proved / proofs)}`}
      </span>
    </div>
  );
}

function Critical({ nodes }: { nodes: readonly NodeView[] }): JSX.Element {
  const open = nodes
    .flatMap((node) => (node.critical ? [{ node, critical: node.critical }] : []))
    .toSorted((one, two) => two.critical.value - one.critical.value);
  if (open.length === 0) return <Empty title="Everything is proved" />;
  return (
    <ul class="feed critical">
      {open.slice(0, listed).map(({ node, critical }) => (
        <li key={node.id}>
          <NodeLink node={node} />
          <span class="quiet cut">{node.title}</span>
          <span class="quiet n">
            blocks {count(critical.blocks)}
            {critical.waits === 0 ? '' : `, waits for ${count(critical.waits)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Links to the goal of its declaration, if a run has one. */
function NodeLink({ node: { id, goal } }: { node: NodeView }): JSX.Element {
  return goal === null ? (
    <a class="link cut" href={href(['coverage'], { node: id })}>
      {id}
    </a>
  ) : (
    <a class="link cut" href={href(['goals', goal.goal], { run: goal.run })}>
      {id}
    </a>
  );
}

/** The colours of leanblueprint, unless the blueprint configures others. */
const meanings = [
  ['can be stated', 'blue', 'transparent'],
  ['stated in Lean', 'green', 'transparent'],
  ['ready to be proved', 'green', '#A3D6FF'],
  ['proved or defined', 'green', '#9CEC8B'],
  ['proved with all its dependencies', 'green', '#1CAC78'],
  ['in Mathlib', 'darkgreen', '#1CAC78'],
] as const;

function CoverageLegend(): JSX.Element {
  return (
    <div class="legend under">
      {meanings.map(([name, border, fill]) => (
        <span key={name}>
          <i style={{ border: `2px solid ${border}`, background: fill }} /> {name}
        </span>
      ))}
      <span>box: definition · dashed: used by the statement · bold: critical path</span>
    </div>
  );
}

function Chosen({ node, blueprint }: { node: NodeView; blueprint: BlueprintView }): JSX.Element {
  const { needs, unlocks } = aroundOf(node, blueprint);
  return (
    <div role="status" class="under">
      <p class="row">
        <b>{node.title || node.id}</b>
        <span class="quiet">{node.kind}</span>
        <span class="mono cut">{node.declarations.join(', ')}</span>
        {node.goal ? <State of={node.goal.status} /> : <span class="quiet">not in any run yet</span>}
        {node.goal ? (
          <a class="link" href={href(['goals', node.goal.goal], { run: node.goal.run })}>
            Open the goal
          </a>
        ) : null}
      </p>
      {node.goal ? <Code text={node.goal.statement} label="statement" lean /> : null}
      {node.proved || needs.length === 0 ? null : <Nodes title="Depends on" nodes={needs} />}
      {node.proved || unlocks.length === 0 ? null : <Nodes title="Unblocks" nodes={unlocks} />}
    </div>
  );
}

function Nodes({ title, nodes }: { title: string; nodes: readonly NodeView[] }): JSX.Element {
  return (
    <p class="quiet">
      {title}:{' '}
      {nodes.map((node, index) => (
        <span key={node.id}>
          {index === 0 ? '' : ', '}
          <NodeLink node={node} />
        </span>
      ))}
    </p>
  );
}

/** Unproved nodes that it depends on, and nodes that wait only for it. Definitions never block. */
function aroundOf(
  node: NodeView,
  { nodes, edges }: BlueprintView,
): { readonly needs: readonly NodeView[]; readonly unlocks: readonly NodeView[] } {
  const byId = new Map(nodes.map((each) => [each.id, each]));
  const waitsFor = (id: string): NodeView[] =>
    edges
      .filter(({ to }) => to === id)
      .flatMap(({ from }) => byId.get(from) ?? [])
      .filter(({ proved, kind }) => !proved && kind !== 'definition');
  return {
    needs: waitsFor(node.id),
    unlocks: edges
      .filter(({ from }) => from === node.id)
      .flatMap(({ to }) => byId.get(to) ?? [])
      .filter(({ id, proved }) => !proved && waitsFor(id).every((each) => each === node)),
  };
}

function History({ history }: { history: BlueprintView['history'] }): JSX.Element {
  const times = useMemo(() => history.map(({ at }) => at), [history]);
  const lines = useMemo(
    (): Line[] => [
      {
        name: 'proved',
        colour: '--accent',
        fill: '--accent-wash',
        values: history.map(({ proved }) => proved),
      },
    ],
    [history],
  );
  return history.length < 2 ? (
    <Empty title="Fewer than two runs so far" />
  ) : (
    <Chart
      times={times}
      lines={lines}
      format={whole}
      label="Proofs of the blueprint over the runs"
      height={172}
    />
  );
}
