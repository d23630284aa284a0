import { plural } from '../data/format.ts';
import type { JSX } from 'preact';
import { palette } from '../../src/shared/palette.ts';

type Rows = readonly (readonly number[])[];

/** An ARC task, read from its statement. */
interface GridTask {
  readonly train: readonly { readonly input: Rows; readonly output: Rows }[];
  readonly test: readonly { readonly input: Rows }[];
}

export function taskOf(statement: string): GridTask {
  return JSON.parse(statement) as GridTask;
}

/** The training pairs side by side, then the test inputs. */
export function GridTaskView({ statement }: { statement: string }): JSX.Element {
  const { train, test } = taskOf(statement);
  return (
    <div class="grids">
      {train.map(({ input, output }, index) => (
        <figure key={index}>
          <div class="pair">
            <GridImage rows={input} name={`input ${index + 1}`} />
            <span aria-hidden="true">→</span>
            <GridImage rows={output} name={`output ${index + 1}`} />
          </div>
          <figcaption class="quiet">pair {index + 1}</figcaption>
        </figure>
      ))}
      {test.map(({ input }, index) => (
        <figure key={`test ${index}`}>
          <GridImage rows={input} name={`test input ${index + 1}`} />
          <figcaption class="quiet">test {index + 1}</figcaption>
        </figure>
      ))}
    </div>
  );
}

/** Cells of ten units with a thin line between them; small grids are not scaled beyond 12 pixels per cell. */
export function GridImage({
  rows,
  name,
  most = 180,
}: {
  rows: Rows;
  name: string;
  /** Maximum width and height in pixels. */
  most?: number;
}): JSX.Element {
  const width = rows[0]?.length ?? 0;
  const longest = Math.max(width, rows.length, 1);
  const size = {
    width: (width / longest) * Math.min(most, longest * 12),
    viewBox: `0 0 ${width * 10} ${rows.length * 10}`,
  };
  return (
    <svg {...size} role="img" aria-label={`${name}, ${width} by ${rows.length}`}>
      {rows.flatMap((row, y) =>
        row.map((colour, x) => (
          <rect
            key={`${x} ${y}`}
            x={x * 10}
            y={y * 10}
            width={9.5}
            height={9.5}
            fill={`#${palette[colour] ?? '000000'}`}
          />
        )),
      )}
    </svg>
  );
}

export function sizeOf(statement: string): string {
  const { train, test } = taskOf(statement);
  return `${plural(train.length, 'pair')}, ${plural(test.length, 'test')}`;
}
