import { createHash } from 'node:crypto';
import {
  reportedAttempts,
  reportedStates,
  reportElementId,
  type GoalSearch,
  type GoalView,
  type Report,
} from '../shared/api.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { coverageOf } from './coverage.ts';
import { searchTreesOf } from '../store/ledger/search-tree.ts';
import type { Page } from './page.ts';
import { momentsOf } from './history.ts';
import { GoalShelf } from './goal-shelf.ts';
import { goalViewOf, marketplaceOf, runDetailOf, runsOf, statsOf, surroundingsOf } from './views.ts';

/** All data that the dashboard can show about a run, and the project's blueprint. */
export async function reportOf(
  ledger: Ledger,
  run: string,
  now: number,
  project = process.cwd(),
): Promise<Report> {
  const around = await surroundingsOf(ledger, run, null);
  const id = around.run;
  const rows = await new GoalShelf().rowsOf(ledger, id);
  const views: Record<string, GoalView> = {};
  const searches: Record<string, GoalSearch> = {};
  for (const { goal } of rows.rows) {
    const view = await goalViewOf(ledger, around, goal);
    views[goal] = newestAttempts(view);
    const trees = await searchTreesOf(ledger.experience, view, reportedStates);
    if (trees.length > 0) searches[goal] = { trees };
  }
  return {
    version: 1,
    made: now,
    stats: await statsOf(ledger, rows, now),
    run: await runDetailOf(ledger, rows, now),
    runs: await runsOf(ledger, now),
    marketplace: await marketplaceOf(ledger),
    coverage: await coverageOf(ledger, project),
    goals: rows.rows,
    history: await momentsOf(ledger, id),
    views,
    searches,
  };
}

/** One file with page, style, script and data: it makes no requests, and its policy forbids them. */
export function reportHtml(page: Page, report: Report): string {
  const style = page['style.css'];
  const script = inScript(page['main.js']);
  const policy = `default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'`;
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const data = `<script type="application/json" id="${reportElementId}">${inData(report)}</script>`;
  let html = page['index.html'];
  html = replaced(html, /<head>/i, (tag) => `${tag}\n${head}`);
  html = replaced(html, /<link\b[^>]*href="\/style\.css"[^>]*>/i, () => `<style>${style}</style>`);
  return replaced(
    html,
    /<script\b[^>]*src="\/main\.js"[^>]*><\/script>/i,
    () => `${data}\n<script type="module">${script}</script>`,
  );
}

function newestAttempts(view: GoalView): GoalView {
  return { ...view, attempt_rows: view.attempt_rows.slice(-reportedAttempts) };
}

/** No text in the data can end the element: every `<` is written as an escape, which JSON reads as the same character. */
function inData(report: Report): string {
  return JSON.stringify(report).replaceAll('<', String.raw`\u003c`);
}

/** The same in a script: inside strings, templates and regular expressions `\/` and `\!` are `/` and `!`. */
function inScript(script: string): string {
  return script.replaceAll(/<\/(?=script)/gi, String.raw`<\/`).replaceAll('<!--', String.raw`<\!--`);
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function replaced(html: string, tag: RegExp, by: (tag: string) => string): string {
  if (!tag.test(html)) throw new Error(`index.html has no ${tag.source}`);
  return html.replace(tag, by);
}
