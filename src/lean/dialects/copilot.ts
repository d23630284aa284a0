import { createHash } from 'node:crypto';
import { itemAt } from '../../core/item-at.ts';
import { wordsOf } from '../../store/premises/words.ts';
import type { Facts } from '../premises/facts.ts';
import type { Goal } from '../base/protocol.ts';
import { closers, unique } from '../search/closers.ts';

/** Answers Lean Copilot's requests to an external model: tactics for a printed state, and vectors for texts. */
export interface Suggestion {
  readonly output: string;
  /** Decreases with the position in the list; the sum is at most 1. */
  readonly score: number;
}

/** The number of suggestions that Lean Copilot's own generator gives. */
const most = 32;

/** Proposals for a printed state: closers, and a few steps for each hypothesis and premise. Lean has not checked them. */
export function suggestTactics(state: string, prefix: string, premises: readonly string[]): Suggestion[] {
  const [goal] = goalsOfText(state);
  const tactics = goal ? proposals(goal, premises) : [];
  const wanted = prefix.trim();
  return tactics
    .filter((tactic) => tactic.startsWith(wanted))
    .slice(0, most)
    .map((output, place) => ({ output, score: 0.5 / (place + 1) ** 2 }));
}

function proposals({ hypotheses }: Goal, premises: readonly string[]): string[] {
  const [cheap, usual] = closers(factsWith(premises));
  const names = hypotheses.map(({ name }) => name).filter((name) => !name.endsWith('✝'));
  return unique([
    ...(cheap?.tactics ?? []),
    ...premises.flatMap((name) => [`rw [${name}]`, `apply ${name}`]),
    'constructor',
    'intro h',
    ...names.flatMap((name) => [`cases ${name}`, `induction ${name}`, `rw [${name}]`, `apply ${name}`]),
    ...(usual?.tactics ?? []),
  ]);
}

function factsWith(premises: readonly string[]): Facts {
  return {
    definitions: [],
    lemmas: premises,
    allLemmas: premises,
    allDefinitions: [],
    instances: [],
    operators: [],
    predicates: [],
    constructors: [],
    lemmaSymbols: new Map(),
    library: new Set(premises),
  };
}

/** The goals of a printed state: `case x`, hypotheses with their types, `⊢ target`; an indented line continues the one before. */
export function goalsOfText(state: string): Goal[] {
  return state
    .split(/\n\s*\n/)
    .map(goalOfText)
    .filter((goal) => goal !== undefined);
}

function goalOfText(text: string): Goal | undefined {
  const entries = text.replaceAll(/\n[ \t]+/g, ' ').split('\n');
  const target = entries
    .find((line) => line.startsWith('⊢'))
    ?.slice(1)
    .trim();
  if (target === undefined || target === '') return undefined;
  const label = entries
    .find((line) => line.startsWith('case '))
    ?.slice('case '.length)
    .trim();
  const hypotheses = entries.flatMap((line) => {
    const [, names = '', rest = ''] = /^((?:[^\s:⊢]+ )+): (.+)$/.exec(line) ?? [];
    const [type = '', value] = rest.split(' := ', 2);
    return names
      .split(' ')
      .filter(Boolean)
      .map((name) => ({ name, type, ...(value !== undefined && { value }) }));
  });
  return { ...(label !== undefined && { case: label }), hypotheses, target };
}

const dimensions = 512;

/** Words hashed into a vector of length 1: texts that share words are close. Not a learned model. */
export function encodeText(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of wordsOf(text)) {
    const hash = createHash('sha256').update(word).digest();
    const place = hash.readUInt16LE(0) % dimensions;
    vector[place] = itemAt(vector, place) + (hash.readUInt8(2) % 2 === 0 ? 1 : -1);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
