import type { Grid } from '../grid/grid.ts';
import { printProgram } from '../language/text.ts';
import type { Program } from '../language/program.ts';
import type { Task } from '../grid/task.ts';
import type { RuleVerdict } from '../verify/verify.ts';
import { borderColour, palette } from '../../shared/palette.ts';

/** One task on a page, with its wrong cells. */
export interface Exhibit {
  readonly task: Task;
  readonly state: 'solved' | 'fits' | 'near' | 'failed' | 'open';
  readonly note: string;
  readonly rules: readonly {
    readonly program: Program;
    readonly verdict: RuleVerdict;
    readonly title: string;
  }[];
}

const headings = {
  solved: 'Solved',
  fits: 'Fits the training pairs; the answer is unknown',
  near: 'Near misses',
  failed: 'Failed',
  open: 'Tasks',
} as const;

/** A self-contained page: inline style, SVG grids, no script. */
export function pageOf(title: string, summary: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title><style>${style}</style></head>
<body><header><h1>${escape(title)}</h1><p>${escape(summary)}</p></header>
${body}
</body></html>
`;
}

/** The tasks by outcome, with their rules and errors. */
export function galleryPage(title: string, summary: string, exhibits: readonly Exhibit[]): string {
  const states = (['solved', 'fits', 'near', 'failed', 'open'] as const).filter((state) =>
    exhibits.some((one) => one.state === state),
  );
  const sections = states.map((state) => {
    const shown = exhibits.filter((one) => one.state === state);
    return `<section id="${state}"><h2>${headings[state]} <small>${shown.length}</small></h2>\n${shown.map(exhibitHtml).join('\n')}</section>`;
  });
  const links = states.map((state) => `<a href="#${state}">${headings[state]}</a>`).join(' ');
  return pageOf(title, summary, `<nav>${links}</nav>\n${sections.join('\n')}`);
}

const style = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882}
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1180px;padding:1rem 1.5rem}
h1{font-size:1.4rem;margin:.2rem 0}h2{font-size:1.15rem;border-bottom:1px solid var(--line);padding-bottom:.2rem;margin-top:2rem}
h3{font:600 .95rem ui-monospace,monospace;margin:0}small{color:#888;font-weight:400}
nav a{margin-right:1rem}article{border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;margin:.8rem 0}
.pairs{display:flex;flex-wrap:wrap;gap:1rem 2rem;margin:.6rem 0}figure{margin:0}figcaption{font-size:.8rem;color:#888}
.pair{display:flex;gap:.5rem;align-items:center;background:var(--soft);border-radius:6px;padding:.5rem}
.arrow{color:#888}pre{background:var(--soft);border-radius:6px;padding:.5rem .7rem;overflow-x:auto;font-size:.8rem;margin:.4rem 0}
.right{color:#2a8a2a}.wrong{color:#c33}svg{display:block}mark{background:#f935;color:inherit;border-left:3px solid #f93;padding-left:.3rem}`;

function exhibitHtml({ task, note, rules }: Exhibit): string {
  const pairs = task.train.map(({ input, output }) =>
    pairHtml([caption('input', input), caption('output', output)]),
  );
  const tests = task.test.map((input, i) => {
    const answer = task.answers[i] ?? null;
    return pairHtml([caption('test input', input), ...(answer === null ? [] : [caption('wanted', answer)])]);
  });
  return `<article id="${escape(task.id)}"><h3>${escape(task.id)} <small>${escape(note)}</small></h3>
<div class="pairs">${pairs.join('')}${tests.join('')}</div>
${rules.map((rule) => ruleHtml(task, rule)).join('\n')}</article>`;
}

function ruleHtml(task: Task, { program, verdict, title }: Exhibit['rules'][number]): string {
  const made = verdict.outcomes
    .map((outcome, i) => ({
      outcome,
      wanted: task.train[i]?.output,
      exact: verdict.exact[i] === true,
      name: `train ${i}`,
    }))
    .filter(({ exact }) => !exact);
  const answers = verdict.answers.map((outcome, i) => ({
    outcome,
    wanted: task.answers[i] ?? undefined,
    exact: false,
    name: `test ${i}`,
  }));
  const grids = [...made, ...answers].map(({ outcome, wanted, name }) =>
    pairHtml([
      outcome.kind === 'grid'
        ? caption(`${name}, by the rule`, outcome.grid, wanted)
        : `<figure><figcaption>${name}: ${escape(outcome.message)}</figcaption></figure>`,
    ]),
  );
  return `<details><summary>${escape(title)}</summary><pre>${escape(printProgram(program))}</pre><div class="pairs">${grids.join('')}</div></details>`;
}

export function pairHtml(figures: readonly string[]): string {
  return `<div class="pair">${figures.join('<span class="arrow">→</span>')}</div>`;
}

/** A grid with its name and size; with `wanted`, the number of wrong cells; `box` is drawn around the blamed cells. */
export function caption(text: string, grid: Grid, wanted?: Grid, box?: HtmlBox | null): string {
  return `<figure>${gridSvg(grid, wanted, box)}<figcaption>${escape(text)} ${grid.width}×${grid.height}${wanted === undefined ? '' : judged(grid, wanted)}</figcaption></figure>`;
}

function judged(grid: Grid, wanted: Grid): string {
  const wrong = wrongCells(grid, wanted);
  if (wrong === null) return ' <b class="wrong">other size</b>';
  return wrong.length === 0 ? ' <b class="right">right</b>' : ` <b class="wrong">${wrong.length} wrong</b>`;
}

/** Indexes of wrong cells; null when the sizes differ. */
function wrongCells(grid: Grid, wanted: Grid): number[] | null {
  if (grid.width !== wanted.width || grid.height !== wanted.height) return null;
  return [...grid.cells.keys()].filter((i) => grid.cells[i] !== wanted.cells[i]);
}

/** Left, top, width and height, in cells. */
export type HtmlBox = readonly [number, number, number, number];

/** A grid as SVG; with `wanted`, wrong cells are crossed. A run of one colour in a row is one rectangle. */
export function gridSvg(grid: Grid, wanted?: Grid, box?: HtmlBox | null): string {
  const cell = Math.max(5, Math.min(16, Math.floor(180 / Math.max(grid.width, grid.height))));
  const parts: string[] = [];
  for (let y = 0; y < grid.height; y++) {
    for (let x = 0; x < grid.width;) {
      const colour = grid.cells[y * grid.width + x] ?? 0;
      let end = x + 1;
      while (end < grid.width && grid.cells[y * grid.width + end] === colour) end++;
      if (colour !== 0)
        parts.push(
          `<rect x="${x * cell}" y="${y * cell}" width="${(end - x) * cell}" height="${cell}" fill="#${palette[colour]}"/>`,
        );
      x = end;
    }
  }
  const width = grid.width * cell;
  const height = grid.height * cell;
  const lines: string[] = [];
  for (let x = 0; x <= grid.width; x++) lines.push(`M${x * cell} 0V${height}`);
  for (let y = 0; y <= grid.height; y++) lines.push(`M0 ${y * cell}H${width}`);
  const crosses = (wanted === undefined ? null : wrongCells(grid, wanted)) ?? [];
  const marks = crosses.map((i) => {
    const x = (i % grid.width) * cell;
    const y = Math.floor(i / grid.width) * cell;
    return `M${x + 2} ${y + 2}l${cell - 4} ${cell - 4}M${x + cell - 2} ${y + 2}l${4 - cell} ${cell - 4}`;
  });
  const cross =
    marks.length === 0
      ? ''
      : `<path d="${marks.join('')}" stroke="#fff" stroke-width="3"/><path d="${marks.join('')}" stroke="#000" stroke-width="1.2"/>`;
  const frame =
    box === undefined || box === null
      ? ''
      : `<rect class="blamed" x="${box[0] * cell}" y="${box[1] * cell}" width="${box[2] * cell}" height="${box[3] * cell}" fill="none" stroke="#f93" stroke-width="2.5"/>`;
  return `<svg width="${width + 1}" height="${height + 1}" viewBox="-.5 -.5 ${width + 1} ${height + 1}" role="img" aria-label="grid ${grid.width} by ${grid.height}"><rect width="${width}" height="${height}" fill="#${palette[0]}"/>${parts.join('')}<path d="${lines.join('')}" stroke="#${borderColour}" fill="none"/>${cross}${frame}</svg>`;
}

export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
