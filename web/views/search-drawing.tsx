import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Branch } from '../../src/shared/search-branches.ts';
import { seconds } from '../data/format.ts';
import { Code } from '../parts/blocks.tsx';

const across = 64;
const down = 22;
const margin = 14;
/** Maximum number of states drawn; larger trees are shown as text only. */
const mostDrawn = 300;

interface Spot {
  readonly branch: Branch;
  readonly x: number;
  readonly y: number;
  readonly from: Spot | null;
}

/**
 * States as circles, sized by cost, with the steps between them; the path to the proof is bold. Hovering or focusing
 * a state shows its goal and the tactic that led to it.
 */
export function SearchDrawing({ root }: { root: Branch }): JSX.Element | null {
  const { spots, width, height, largest } = useMemo(() => drawn(root), [root]);
  const [chosen, setChosen] = useState<string | null>(null);
  if (spots.length < 3 || spots.length > mostDrawn) return null;
  const shown = spots.find(({ branch }) => branch.key === chosen)?.branch;
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="drawing of the search">
        <svg width={width} height={height} class="drawing">
          {spots.map(({ branch, x, y, from }) =>
            from === null ? null : (
              <path
                key={branch.key}
                d={`M${from.x} ${from.y}C${from.x + across / 2} ${from.y} ${x - across / 2} ${y} ${x} ${y}`}
                data-way={branch.isWay ? true : undefined}
              />
            ),
          )}
          {spots.map(({ branch, x, y }) => (
            <circle
              key={branch.key}
              cx={x}
              cy={y}
              r={4 + 6 * Math.sqrt(branch.cpuSeconds / largest)}
              class={`is-${branch.kind}`}
              tabindex={0}
              role="img"
              aria-label={spoken(branch)}
              onPointerEnter={() => setChosen(branch.key)}
              onFocus={() => setChosen(branch.key)}
            >
              <title>{spoken(branch)}</title>
            </circle>
          ))}
        </svg>
      </div>
      <div class="under" aria-live="polite">
        {shown === undefined ? (
          <p class="quiet">Point at a state to see its goal. Size: CPU of the state and all below it.</p>
        ) : (
          <>
            <p class="quiet">
              {shown.step === null ? 'start' : shown.step.tactic} · {seconds(shown.cpuSeconds)}
            </p>
            <Code text={shown.state?.goals || 'no goals'} label="goal of the state" lean />
          </>
        )}
      </div>
    </>
  );
}

const spoken = ({ step, kind, cpuSeconds }: Branch): string =>
  `${step === null ? 'start' : step.tactic}, ${kind}, ${seconds(cpuSeconds)}`;

/** Each leaf has its own line; a state is centred beside its descendants. */
function drawn(root: Branch): {
  readonly spots: readonly Spot[];
  readonly width: number;
  readonly height: number;
  readonly largest: number;
} {
  const spots: Spot[] = [];
  let leaves = 0;
  let deepest = 0;
  const place = (branch: Branch, depth: number): { y: number; adopt: (from: Spot | null) => void } => {
    deepest = Math.max(deepest, depth);
    const below = branch.below.map((each) => place(each, depth + 1));
    const first = below[0];
    const last = below.at(-1);
    const y = first && last ? (first.y + last.y) / 2 : margin + down * leaves++;
    return {
      y,
      adopt(from) {
        const spot = { branch, x: margin + across * depth, y, from };
        spots.push(spot);
        for (const each of below) each.adopt(spot);
      },
    };
  };
  place(root, 0).adopt(null);
  return {
    spots,
    width: 2 * margin + across * deepest,
    height: 2 * margin + down * Math.max(0, leaves - 1),
    largest: Math.max(root.cpuSeconds, 1e-9),
  };
}
