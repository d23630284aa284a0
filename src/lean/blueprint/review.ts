import * as z from 'zod';
import type { GoalModel } from '../../models/configured.ts';
import { prompt } from '../../models/prompts.ts';
import { forPeople } from '../../shared/for-people.ts';

/** A statement of a blueprint, with the declarations that formalise it. */
export interface Formalised {
  readonly node: string;
  /** The LaTeX source of the statement. */
  readonly words: string;
  /** The declarations, without proofs. */
  readonly lean: string;
  /** Definitions of the project that they use. */
  readonly definitions: string;
}

/** A language model's opinion on whether a Lean statement says what the text says. It never counts as verification. */
export interface StatementReview {
  readonly node: string;
  readonly verdict: 'agrees' | 'differs' | 'unclear' | 'unanswered';
  readonly remarks: readonly string[];
  readonly model: string;
  /** The version of the prompt. */
  readonly prompt: string;
}

const promptName = 'review-statement';
const maxTokens = 2000;
const mostRemarks = 5;
const longestRemark = 500;

const Answer = z.strictObject({
  verdict: z.enum(['agrees', 'differs', 'unclear']),
  remarks: z.array(z.string()),
});
const schema = { name: 'review', json: z.toJSONSchema(Answer) };

export async function reviewStatement(
  { model, budgetOf }: GoalModel,
  { node, ...texts }: Formalised,
  signal?: AbortSignal,
): Promise<StatementReview> {
  const { text, version } = prompt(promptName, texts);
  const review = (verdict: StatementReview['verdict'], remarks: readonly string[]): StatementReview => ({
    node,
    verdict,
    remarks: remarks.slice(0, mostRemarks).map((remark) => forPeople(remark.slice(0, longestRemark))),
    model: model.name,
    prompt: version,
  });
  const request = { prompt: text, samples: 1, temperature: 0, maxTokens, schema };
  const answer = await model.on(budgetOf(`review ${node}`)).generate(request, signal);
  if (!answer.ok) return review('unanswered', [answer.error.message]);
  const [sample] = answer.value.samples;
  const { data } = Answer.safeParse(sample?.value);
  if (!data) return review('unanswered', [`the model gave no review (${sample?.end ?? 'no answer'})`]);
  return review(data.verdict, data.remarks);
}

/** A comment on a pull request. It names its source first, so that it is not mistaken for a check. */
export function reviewComment(reviews: readonly StatementReview[]): string {
  const model = reviews[0]?.model ?? '';
  return [
    `**Does the statement say what the blueprint says?** The opinion of a language model (${code(model)}), not a verification.`,
    ...reviews.map(
      ({ node, verdict, remarks }) =>
        `\n${code(node)}: ${verdict}${remarks.map((remark) => `\n- ${inert(remark)}`).join('')}`,
    ),
    '',
  ].join('\n');
}

const code = (text: string): string => `\`${forPeople(text).replaceAll('`', String.raw`\u{60}`)}\``;

/** A model's text without links, mentions, images or HTML. */
const inert = (text: string): string =>
  text
    .replaceAll(/[\\[\]<>@#!*_|~]/g, (character) => `\\${character}`)
    .replaceAll(/\s+/g, ' ')
    .replaceAll('://', ': //');
