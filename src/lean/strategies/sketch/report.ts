import { openHoles, type Fate, type Walk } from './walk.ts';

/** From this score on, the plan's holes become tickets. */
const goodEnough = 0.5;
/** A plan with more holes has not made the goal smaller. */
const mostHoles = 4;

/**
 * From 0 to 1: half of it for the claims that Lean can read and small values do not contradict, the rest for closed
 * holes.
 */
export function scoreOf({ steps, end }: Walk): number {
  const surviving = steps.filter(({ fate }) => fate.kind === 'closed' || fate.kind === 'open');
  const share = steps.length === 0 ? 1 : surviving.length / steps.length;
  const fates = [...surviving.map(({ fate }) => fate), end];
  const closed = fates.filter(({ kind }) => kind === 'closed').length / fates.length;
  return share * (0.5 + 0.5 * closed);
}

/** Whether the plan's holes are worth tickets: it has claims, most of them hold, and the holes can be stated. */
export function isWorthWork(walk: Walk): boolean {
  const holes = openHoles(walk).length;
  const says = walk.steps.some(({ fate }) => fate.kind === 'closed' || fate.kind === 'open');
  const isStated = walk.end.kind === 'closed' || walk.end.kind === 'open';
  return says && isStated && holes > 0 && holes <= mostHoles && scoreOf(walk) >= goodEnough;
}

/** Whether Lean rejected parts of the plan; then the model gets the messages. */
export function isAtFault({ steps, openingWords }: Walk): boolean {
  return openingWords !== undefined || steps.some(({ fate }) => isBad(fate));
}

/** The outcomes of a plan, one line each: for the model, and for `orch why`. */
export function linesOf(walk: Walk): string[] {
  const { plan, openingWords, steps, end } = walk;
  return [
    ...(openingWords === undefined ? [] : [`opening ${plan.opening}: ${short(openingWords)}`]),
    ...steps.map(({ step: { name, claim }, fate }) => `${name} : ${claim}: ${wordsOf(fate)}`),
    `the end: ${wordsOf(end)}`,
  ];
}

/** One line: the number of claims and their outcomes. */
export function summaryOf(walk: Walk): string {
  const { steps } = walk;
  const bad = steps.filter(({ fate }) => isBad(fate)).length;
  const holes = openHoles(walk).length;
  return `a plan of ${steps.length} claims, ${bad} dropped, ${holes} holes left: score ${scoreOf(walk).toFixed(2)}`;
}

function wordsOf(fate: Fate): string {
  switch (fate.kind) {
    case 'closed':
      return `proved by ${short(fate.tactic)}`;
    case 'open':
      return `not proved yet: ${short(fate.lemma.statement)}`;
    case 'dropped':
    case 'refuted':
      return `dropped: ${short(fate.words)}`;
  }
}

function isBad({ kind }: Fate): boolean {
  return kind === 'dropped' || kind === 'refuted';
}

/** Cuts long messages, keeping the start. */
function short(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ');
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}
