import { describe, factFrom, factKinds, factsText, type Fact } from '../../grid/facts/describe.ts';
import { microdollarsOf, type Price } from '../../../models/budget.ts';
import {
  parseAnswer,
  type Generated,
  type GenerateRequest,
  type Model,
  type ModelFailure,
} from '../../../models/model.ts';
import { prompt } from '../../../models/prompts.ts';
import { gridToRows, type Grid } from '../../grid/grid.ts';
import { operations } from '../../language/registry.ts';
import { printProgram, readProgram } from '../../language/text.ts';
import type { Task } from '../../grid/task.ts';
import type { RulerBundle } from '../memory/bundle.ts';
import type { AnswerEnd, AnswerFault } from './answers.ts';
import type { AnswerRecord, Described, Draft, DraftRequest, EditRequest, Proposed, Ruler } from './ruler.ts';
import { fieldOf } from '../../../core/errors.ts';

/** A model with the price of its tokens. */
export interface PricedModel {
  readonly model: Model;
  readonly price: Price;
}

const maxTokens = 4096;

/** The shape of an answer: programs as JSON. They are checked like every other draft. */
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
 * A ruler that queries a language model. Every answer becomes a row: a program, text that is not a program, or an error. It
 * costs no nodes; the run's model budget limits it.
 */
export function modelRuler(priced: PricedModel, source: Ruler['source']): Ruler {
  return {
    name: priced.model.name,
    source,
    draft: async (request) => await ask(priced, source, request, ''),
    edit: async (request) => await ask(priced, source, request, seedsText(request)),
  };
}

async function ask(
  priced: PricedModel,
  role: Ruler['source'],
  request: DraftRequest,
  seeds: string,
): Promise<Proposed> {
  const { text, version } = prompt('arc-ruler', {
    operations: operationsText(),
    facts: factsText(request.facts.filter(({ scope }) => scope === 'task')),
    pairs: pairsText(request.task),
    memory: memoryText(request.memory),
    seeds,
    count: `${request.k}`,
  });
  const asked: GenerateRequest = {
    prompt: text,
    samples: 1,
    temperature: 0,
    maxTokens,
    schema: answerSchema,
  };
  const answer = await priced.model.generate(asked);
  const read = programsOf(answer);
  const drafts =
    read.fault === null
      ? read.values.slice(0, request.k).map((value) => draftOf(value))
      : [{ ...draftOf(read.said), fault: read.fault }];
  const record = recordOf(priced, role, version, answer, {
    end: read.fault ?? read.end,
    said: read.fault === null ? read.values.length : 0,
    taken: read.fault === null ? drafts.length : 0,
  });
  return { drafts, nodes: 0, answers: [record] };
}

function draftOf(value: unknown): Draft {
  return { value, by: 'model', held: 0, parent_id: null, directive: null, answer: 0 };
}

type Read =
  | { readonly fault: null; readonly end: 'ANSWERED' | 'PARSE'; readonly values: unknown[] }
  | { readonly fault: AnswerFault; readonly said: string };

/** The programs of an answer, or why there are none. An empty answer and an empty list count as SILENT. */
function programsOf(answer: Generated): Read {
  if (!answer.ok) return { fault: faultOf(answer.error), said: answer.error.message };
  const [sample] = answer.value.samples;
  if (sample === undefined) return { fault: 'SILENT', said: '' };
  const { text, value, end } = sample;
  if (end === 'refused') return { fault: 'REFUSED', said: text };
  const values = programsIn(value === undefined ? text : value);
  const isCut = end === 'length' && value === undefined && values.every((one) => typeof one === 'string');
  if (isCut) return { fault: 'TOO_LONG', said: text };
  if (values.length === 0 || text.trim() === '') return { fault: 'SILENT', said: '' };
  const isText = values.every((one) => typeof one !== 'object' || one === null);
  return { fault: null, end: isText ? 'PARSE' : 'ANSWERED', values };
}

/** A service that did not answer in time is SILENT; one that could not be reached is UNAVAILABLE. */
function faultOf({ kind, message }: ModelFailure): AnswerFault {
  const isSilent =
    (kind === 'over-budget' && message.startsWith('no answer within')) ||
    (kind === 'failed' && message.includes('without an answer'));
  if (isSilent) return 'SILENT';
  return message.includes('an answer of more than') ? 'TOO_LONG' : 'UNAVAILABLE';
}

function recordOf(
  { model, price }: PricedModel,
  role: AnswerRecord['role'],
  version: string,
  answer: Generated,
  read: { readonly end: AnswerEnd; readonly said: number; readonly taken: number },
): AnswerRecord {
  const usage = answer.ok ? answer.value.usage : { inputTokens: 0, outputTokens: 0 };
  // a service may report any figure
  const tokens = {
    inputTokens: countOf(usage.inputTokens),
    outputTokens: countOf(usage.outputTokens),
  };
  return {
    role,
    model: model.name,
    prompt: version,
    message: answer.ok ? null : answer.error.message,
    ...read,
    input_tokens: tokens.inputTokens,
    output_tokens: tokens.outputTokens,
    microdollars: microdollarsOf(tokens, price),
  };
}

function countOf(said: number): number {
  return Number.isSafeInteger(said) && said >= 0 ? said : 0;
}

/**
 * Programs in the requested form, a bare program, or JSON or rule text inside other text; anything else is one invalid draft.
 */
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

/** Parses text as JSON or as rule text; other text is kept. */
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

/** The JSON between the first and the last bracket, if any. */
function embeddedJson(text: string): unknown {
  const begin = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
  if (begin < 0 || end < begin) return undefined;
  try {
    return parseAnswer(text.slice(begin, end + 1));
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

/** All items from memory; each is shorter here than in the bundle, which --memory-max-bytes limits. */
export function memoryText({
  solved_examples,
  repair_cases,
  fragments,
  episodes,
  summary,
}: RulerBundle): string {
  return [
    ...solved_examples.map(({ program }) => `Solved a similar task:\n${printProgram(program)}\n`),
    ...repair_cases.map(
      ({ directive, error_type, ops_signature, improved, best_delta }) =>
        `${error_type} of ${ops_signature}: ${directive} helped ${improved}×, gain ${best_delta}\n`,
    ),
    ...fragments.map(({ program, support }) => `In ${support} rules:\n${printProgram(program)}\n`),
    ...episodes.map(({ solved, best_score, iterations }) =>
      solved ? `A similar task was solved in ${iterations}.\n` : `A similar task got to ${best_score}.\n`,
    ),
    ...summary.map(
      ({ ops_signature, tasks, solved, mean_score }) =>
        `${ops_signature}: solved ${solved} of ${tasks}, mean ${mean_score}\n`,
    ),
  ].join('');
}

function seedsText({ seeds }: EditRequest): string {
  const told = seeds.map(
    ({ judged, error_type, blame }) =>
      `This program scores ${judged.verifier_score} (${error_type}); step ${blame.step_idx} is to blame (${blame.level}):\n${printProgram(judged.program)}\n`,
  );
  return `${told.join('\n')}\nChange one of these programs.`;
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

/**
 * A describer that queries a model. Facts of unknown kinds or scopes are dropped; without any valid one, the built-in facts are
 * used.
 */
export function modelDescriber(priced: PricedModel): (task: Task) => Promise<Described> {
  return async (task) => {
    const { text, version } = prompt('arc-describer', {
      kinds: factKinds.join(', '),
      pairs: pairsText(task),
    });
    const answer = await priced.model.generate({
      prompt: text,
      samples: 1,
      temperature: 0,
      maxTokens,
      schema: factSchema,
    });
    const [sample] = answer.ok ? answer.value.samples : [];
    const value = fieldOf(sample?.value, 'facts');
    const said: unknown[] = Array.isArray(value) ? value : [];
    const facts = said.flatMap((one): Fact[] => {
      const fact = factFrom(one, task.train.length);
      return fact === undefined ? [] : [fact];
    });
    const end = answer.ok ? endOfFacts(sample, said.length) : faultOf(answer.error);
    const record = recordOf(priced, 'describer', version, answer, {
      end,
      said: said.length,
      taken: facts.length,
    });
    return { facts: facts.length === 0 ? describe(task) : facts, answers: [record] };
  };
}

function endOfFacts(
  sample: { readonly text: string; readonly end: string } | undefined,
  said: number,
): AnswerEnd {
  if (sample?.end === 'refused') return 'REFUSED';
  if (said > 0) return 'ANSWERED';
  if (sample === undefined || sample.text.trim() === '') return 'SILENT';
  return sample.end === 'length' ? 'TOO_LONG' : 'PARSE';
}
