import { describe, factFrom, factKinds, factsText, type Fact } from '../../grid/facts/describe.ts';
import type { Model } from '../../../models/model.ts';
import { prompt } from '../../../models/prompts.ts';
import { gridToRows, type Grid } from '../../grid/grid.ts';
import { operations } from '../../language/registry.ts';
import { printProgram, readProgram } from '../../language/text.ts';
import type { Task } from '../../grid/task.ts';
import type { Draft, DraftRequest, EditRequest, Proposed, Ruler } from './ruler.ts';
import { fieldOf } from '../../../core/errors.ts';

const maxTokens = 4096;

/** The shape of an answer: programs as JSON. What is in them is checked like every other draft. */
const answerSchema = {
  name: 'programs',
  json: {
    type: 'object',
    additionalProperties: false,
    required: ['programs'],
    properties: { programs: { type: 'array', items: { type: 'array', items: { type: 'object' } } } },
  },
};

/**
 * A ruler that asks a language model. Whatever the model says is a draft: what does not parse or type-check becomes a
 * candidate with that error, and a service that fails leaves no drafts. It costs no nodes; its own budget bounds it.
 */
export function modelRuler(model: Model, source: Ruler['source']): Ruler {
  return {
    name: model.name,
    source,
    draft: async (request) => await ask(model, request, '', null),
    edit: async (request) =>
      await ask(model, request, seedsText(request), request.seeds[0]?.judged.id ?? null),
  };
}

async function ask(
  model: Model,
  request: DraftRequest,
  seeds: string,
  parent: string | null,
): Promise<Proposed> {
  const { text } = prompt('arc-ruler', {
    operations: operationsText(),
    facts: factsText(request.facts.filter(({ scope }) => scope === 'task')),
    pairs: pairsText(request.task),
    memory: request.memory.solved_examples
      .map(({ program }) => `A like task was solved by:\n${printProgram(program)}\n`)
      .join(''),
    seeds,
    count: `${request.k}`,
  });
  const answer = await model.generate({
    prompt: text,
    samples: 1,
    temperature: 0,
    maxTokens,
    schema: answerSchema,
  });
  if (!answer.ok) return { drafts: [], nodes: 0 };
  const values = answer.value.samples.flatMap(({ text: said, value }) =>
    programsIn(value === undefined ? said : value),
  );
  return { drafts: values.slice(0, request.k).map((value) => draftOf(value, parent)), nodes: 0 };
}

function draftOf(value: unknown, parent: string | null): Draft {
  return { value, by: 'model', held: 0, parent_id: parent, directive: null };
}

/** Programs as asked for, a bare program, JSON or rule text inside other words; anything else is one bad draft. */
export function programsIn(said: unknown): unknown[] {
  if (typeof said === 'object' && said !== null && !Array.isArray(said)) {
    const programs = fieldOf(said, 'programs');
    return Array.isArray(programs) ? programs.map(programIn) : [said];
  }
  if (Array.isArray(said)) return said.every(isStep) ? [said] : said.map(programIn);
  if (typeof said !== 'string') return [said];
  const json = embeddedJson(said);
  return json === undefined ? [programIn(said)] : programsIn(json);
}

/** A program that came as text is read as JSON or as rule text; what is neither stays what it is. */
function programIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const json = embeddedJson(value);
  if (Array.isArray(json)) return json;
  const read = readProgram(value);
  return read.ok ? read.value : value;
}

function isStep(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'op' in value;
}

/** The JSON between the first and the last bracket, where there is any. */
function embeddedJson(text: string): unknown {
  const begin = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
  if (begin < 0 || end < begin) return undefined;
  try {
    return JSON.parse(text.slice(begin, end + 1));
  } catch {
    return undefined;
  }
}

function operationsText(): string {
  return [...operations.values()]
    .map(({ name, takes, gives, framed, summary, parameters }) => {
      const names = Object.entries(parameters).map(([parameter, { kind }]) => `${parameter}: ${kind}`);
      return `${name}(${[takes, ...names].join(', ')})${framed === true ? ' in frame' : ''} → ${gives}: ${summary}`;
    })
    .join('\n');
}

function pairsText({ train }: Task): string {
  return train.map(({ input, output }) => `${gridText(input)}\n→\n${gridText(output)}`).join('\n\n');
}

function gridText(grid: Grid): string {
  return gridToRows(grid)
    .map((row) => row.join(''))
    .join('\n');
}

function seedsText({ seeds }: EditRequest): string {
  return seeds
    .map(
      ({ judged, error_type, blame }) =>
        `This program scores ${judged.verifier_score} (${error_type}); step ${blame.step_idx} is to blame (${blame.level}):\n${printProgram(judged.program)}\n`,
    )
    .join('\n');
}

const factSchema = {
  name: 'facts',
  json: {
    type: 'object',
    additionalProperties: false,
    required: ['facts'],
    properties: { facts: { type: 'array', items: { type: 'object' } } },
  },
};

/** A describer that asks a model. Facts of unknown kinds or scopes are dropped; without a single one ours are taken. */
export function modelDescriber(model: Model): (task: Task) => Promise<readonly Fact[]> {
  return async (task) => {
    const { text } = prompt('arc-describer', { kinds: factKinds.join(', '), pairs: pairsText(task) });
    const answer = await model.generate({
      prompt: text,
      samples: 1,
      temperature: 0,
      maxTokens,
      schema: factSchema,
    });
    const value = answer.ok ? fieldOf(answer.value.samples[0]?.value, 'facts') : undefined;
    const said: unknown[] = Array.isArray(value) ? value : [];
    const facts = said.flatMap((one) => factFrom(one, task.train.length) ?? []);
    return facts.length === 0 ? describe(task) : facts;
  };
}
