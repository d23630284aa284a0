import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../src/lean/premises/facts.ts';
import type { Goal } from '../../../src/lean/base/protocol.ts';
import type { Generator, Proposals } from '../../../src/lean/search/generators.ts';
import { Suggestions } from '../../../src/lean/search/suggestions.ts';

const facts: Facts = {
  definitions: [],
  lemmas: [],
  allLemmas: [],
  allDefinitions: [],
  instances: [],
  operators: [],
  predicates: [],
  constructors: [],
  lemmaSymbols: new Map(),
};
const moves = { naming: [], safe: [], kinds: [] };
const limits = { atOnce: 3, questions: 10 };

const stages = ['rfl', 'intro x', 'simp', 'induction n'].map((tactic): Proposals => ({
  heartbeats: 1,
  tactics: [tactic],
}));
const plain: Generator = ({ isLast }) => (isLast ? stages.slice(0, 1) : stages);

const state = (target: string, isLast = false) => ({
  goals: [{ target, hypotheses: [] }],
  moves,
  facts,
  isLast,
});

/** A model that proposes tactics naming the goal, and records its requests. */
function answering(...common: string[]) {
  const asked: string[][] = [];
  const suggest = async (states: readonly (readonly Goal[])[]) => {
    const targets = states.map(([goal]) => goal?.target ?? '');
    asked.push(targets);
    return targets.map((target) => [...common, `use ${target}`, `use ${target}`]);
  };
  return { asked, suggest };
}

/** The stage that asks, for a goal. */
function askingStage(generator: Generator, target: string): () => Promise<readonly string[]> {
  const { finds } = generator(state(target)).find((stage) => stage.finds) ?? {};
  if (!finds) throw new Error('no stage asks');
  return async () => await finds();
}

describe('proposals of a model', () => {
  test('are tried after the cheap stages, once each, without duplicates of built-in steps', async () => {
    const { suggest, asked } = answering('simp', 'induction n');
    const generator = new Suggestions(suggest, limits).within(plain);
    const all = generator(state('a'));
    expect(all.map(({ tactics }) => tactics)).toEqual([['rfl'], ['intro x'], ['simp'], [], ['induction n']]);
    expect(asked).toEqual([]);
    expect(await all[3]?.finds?.()).toEqual(['use a']);
  });

  test('are requested in batches: the current state and the newest ones, each once', async () => {
    const { suggest, asked } = answering();
    const suggestions = new Suggestions(suggest, limits);
    const generator = suggestions.within(plain);
    const [a, , c, d] = ['a', 'b', 'c', 'd'].map((target) => askingStage(generator, target));
    expect(await a?.()).toEqual(['use a']);
    expect(asked).toEqual([['a', 'c', 'd']]);
    expect(await Promise.all([c?.(), d?.(), a?.()])).toEqual([['use c'], ['use d'], ['use a']]);
    // the same state by another way
    expect(await askingStage(generator, 'c')()).toEqual(['use c']);
    expect(asked).toHaveLength(1);
    expect(suggestions.effort).toEqual({ questions: 1, states: 3 });
  });

  test('are not requested at the last depth, over the question limit, or if the model is unavailable', async () => {
    const { suggest, asked } = answering();
    const generator = new Suggestions(suggest, { atOnce: 1, questions: 2 }).within(plain);
    expect(generator(state('a', true))).toEqual(stages.slice(0, 1));
    for (const target of ['a', 'b', 'c']) await askingStage(generator, target)();
    expect(asked).toEqual([['a'], ['b']]);
    let times = 0;
    const silent = new Suggestions(async () => {
      times++;
      return undefined;
    }, limits).within(plain);
    expect(await askingStage(silent, 'a')()).toEqual([]);
    expect(silent(state('b'))).toEqual(stages);
    expect(times).toBe(1);
  });
});
