import type { JSX } from 'preact';
import { arcReliability } from '../../src/shared/arc-reliability.ts';
import { percent } from '../data/format.ts';

const side = 180;
const margin = 28;

/**
 * How often answers with a stated probability were right, on tasks that the model was not fitted on. A point per range of
 * probabilities, larger for more tasks; on the dashed line, predictions are exact.
 */
export function Reliability(): JSX.Element {
  const x = (share: number): number => margin + side * share;
  const y = (share: number): number => side * (1 - share) + 8;
  return (
    <svg width={side + margin + 16} height={side + margin + 8} role="img" aria-label="Reliability">
      <path d={`M${x(0)} ${y(1)}V${y(0)}H${x(1)}`} fill="none" stroke="var(--line-strong)" />
      <path d={`M${x(0)} ${y(0)}L${x(1)} ${y(1)}`} stroke="var(--line-strong)" stroke-dasharray="4 4" />
      {arcReliability.map(({ cases, predicted, right }) => (
        <circle
          key={predicted}
          cx={x(predicted)}
          cy={y(right)}
          r={Math.min(12, 2 + Math.sqrt(cases) / 2)}
          fill="var(--accent)"
          opacity="0.7"
        >
          <title>{`${cases} tasks: predicted ${percent(predicted)}, right ${percent(right)}`}</title>
        </circle>
      ))}
      {[0, 0.5, 1].map((share) => (
        <g key={share} font-size="11" fill="var(--ink-3)">
          <text x={x(share)} y={y(0) + 16} text-anchor="middle">
            {percent(share)}
          </text>
          <text x={margin - 4} y={y(share) + 4} text-anchor="end">
            {share === 0 ? '' : percent(share)}
          </text>
        </g>
      ))}
    </svg>
  );
}
