import { describe, expect, it } from 'vitest';
import { motions, moveGrid, type Grid, type Motion } from '../../../src/arc/grid/grid.ts';
import { viewsOf } from '../../../src/arc/search/views.ts';
import { sceneOf, valueFor } from '../../../src/arc/language/actions.ts';
import { featureColumn } from '../../../src/arc/language/features/features.ts';
import { image, type Image } from '../../../src/arc/language/image.ts';
import { bind, type RuleOperation } from '../../../src/arc/language/operation.ts';
import { operations } from '../../../src/arc/language/registry.ts';
import { Scan } from '../../../src/arc/language/scan.ts';
import { digits, picture } from '../arbitrary.ts';

/** A rotated task is the same task, so ties must not be broken by reading order. */

function turned(source: Image, motion: Motion): Image {
  const { width, height, cells } = moveGrid(source, motion);
  return image(0, 0, width, height, cells);
}

function oriented(source: Image, by: string): readonly string[] {
  const orient = bind(operations.get('orient') as RuleOperation, { by });
  return digits(orient(source, { input: source, frame: null }) as Image);
}

describe('the view with a common direction', () => {
  it('shows an input that grows from a corner the same way in every rotation', () => {
    const leaning = picture('2200', '1000', '1000', '0000');
    for (const motion of motions)
      expect(oriented(turned(leaning, motion), 'mass-across')).toEqual(oriented(leaning, 'mass-across'));
  });

  it('turns the stripes of a square input to one direction', () => {
    const striped = picture('123', '123', '123');
    expect(oriented(turned(striped, 'transpose'), 'wide')).toEqual(oriented(striped, 'wide'));
  });
});

/** The views of a task whose outputs are one row each. */
function viewsOfRows(rows: readonly string[]): string[] {
  return viewsOf({
    id: 'rows',
    train: rows.map((row) => ({ input: picture('30', '03'), output: picture(row) })),
    test: [picture('33', '03')],
    answers: [],
  }).map(({ name }) => name);
}

describe('the corner from which outputs grow', () => {
  const pairs: readonly [input: Grid, output: Grid][] = [
    [picture('12', '30'), picture('1200', '3000')],
    [picture('41', '05'), picture('4100', '0500')],
  ];
  const viewsFrom = (motion: Motion): string[] =>
    viewsOf({
      id: 'grown',
      train: pairs.map(([input, output]) => ({
        input: moveGrid(input, motion),
        output: moveGrid(output, motion),
      })),
      test: [moveGrid(picture('60', '07'), motion)],
      answers: [],
    }).map(({ name }) => name);

  it('is moved to the top left from any other corner', () => {
    expect(viewsFrom('identity').filter((name) => name.includes('flip'))).toEqual([]);
    expect(viewsFrom('flip-left-right')).toContain('orient:flip-left-right');
    expect(viewsFrom('rotate270')).toContain('orient:flip-top-bottom');
  });

  it('is the corner filled in every output if the top left is filled in none', () => {
    expect(viewsOfRows(['001', '011'])).toContain('orient:flip-left-right');
    expect(viewsOfRows(['001', '111'])).not.toContain('orient:flip-left-right');
  });
});

describe('an object', () => {
  it('has the most frequent value of its cells, regardless of which comes first', () => {
    const scattered = picture('1100', '0001', '0000');
    for (const motion of motions) {
      const source = turned(scattered, motion);
      const scan = new Scan(source);
      const [body] = sceneOf(source, scan.objects('colour')).bodies;
      expect(body && valueFor(featureColumn(scan, 'piece-size'), body)).toBe(2);
    }
  });
});
