import type { LemmaRequest, ProvedLemma } from '../../core/scheduler/domain.ts';
import type { Ticket } from '../../shared/events.ts';
import { readSignature, signatureText } from '../base/signature.ts';
import { bareGoal, type LeanGoal } from '../goals/goal.ts';
import type { Goal } from '../base/protocol.ts';
import { lemmaName } from '../base/lemma-name.ts';
import { standingOf } from './standing.ts';

/** A goal with more hypotheses than this is not a lemma that another proof could use. */
const maxHypotheses = 12;

/** A lemma that someone else wrote, in the environment of the goal. */
export function lemmaRequest({ preamble, environment }: LeanGoal, statement: string): LemmaRequest {
  const name = /^\s*(?:theorem|lemma)\s+([^\s:({[⦃]+)/.exec(statement)?.[1] ?? 'helper';
  return { statement, name, columns: { context: [preamble], environment: environment ?? null } };
}

/** The lemma of a ticket as a goal. A ticket may give only the type. */
export function ticketGoal(ticket: Ticket): LeanGoal {
  return {
    ...bareGoal,
    id: ticket.ticket_id,
    ...standingOf(ticket),
    statement: theoremOf(ticket),
    topic: 'lemma',
  };
}

type Asked = Pick<Ticket, 'kind' | 'goal' | 'suggested_name'>;

/**
 * As a theorem that the gate can judge: for a definition or an instance, the theorem says that its type is
 * inhabited.
 */
export function theoremOf(ticket: Asked): string {
  const { goal } = ticket;
  if (!wantsValue(ticket))
    return /^\s*(?:theorem|lemma)\s/.test(goal) ? goal : `theorem ${ticket.suggested_name} : ${goal}`;
  const signature = readSignature(declarationOf(ticket).replace(/^def /, 'theorem '));
  return signature
    ? signatureText({ ...signature, type: `Nonempty (${signature.type})` })
    : `theorem ${ticket.suggested_name} : Nonempty (${goal})`;
}

/** A solution as a proof of that theorem. */
export function solutionProof(ticket: Pick<Ticket, 'kind'>, solution: string): string {
  return wantsValue(ticket) ? `⟨${solution}⟩` : solution;
}

export const wantsValue = ({ kind }: Pick<Ticket, 'kind'>): boolean =>
  kind === 'definition' || kind === 'instance';

/** `def name binders : type` */
export function declarationOf({ goal, suggested_name }: Asked): string {
  const stated = /^\s*(?:noncomputable\s+)?(?:def|abbrev|theorem|lemma)\s+(?=[^\s:({[⦃])/.exec(goal);
  if (stated) return `def ${goal.slice(stated[0].length)}`;
  const instance = /^\s*instance(?=\s*[\s:({[⦃])/.exec(goal);
  if (!instance) return `def ${suggested_name} : ${goal}`;
  const rest = goal.slice(instance[0].length);
  return /^\s*[:({[⦃]/.test(rest) ? `def ${suggested_name}${rest}` : `def${rest}`;
}

/**
 * `theorem length_append_aux (hypotheses) : target`. `claim` distinguishes it from other lemmas of the same
 * plan. Undefined for a goal that Lean prints with names or holes that it cannot read back.
 */
export function lemmaStatement(
  { hypotheses, target }: Goal,
  claim?: string,
): { name: string; text: string } | undefined {
  // a contradiction that is still to be derived is not a lemma
  if (hypotheses.length > maxHypotheses || target === 'False') return undefined;
  const parts = [...hypotheses.flatMap(({ name, type, value }) => [name, type, value ?? '']), target];
  if (parts.some((part) => /[✝?⋯]|sorry/.test(part))) return undefined;
  if (hypotheses.some(({ value }) => value !== undefined)) return undefined;
  const binders = hypotheses.map(({ name, type }) => {
    if (type === '') return `(${name})`; // Lean infers it
    return name === '' || name.startsWith('inst') ? `[${type}]` : `(${name} : ${type})`;
  });
  const rest = [...binders, `: ${target}`].join(' ');
  const words = [lemmaName(`theorem t ${rest}`) ?? 'helper', ...(claim === undefined ? [] : [claim])];
  const name = `${words.join('_')}${helperEnd}`;
  return { name, text: `theorem ${name} ${rest}` };
}

/** A lemma's statement, and its name. */
export interface StatedLemma {
  readonly name: string;
  readonly text: string;
}

export function statedAs(type: string): StatedLemma {
  const name = helperName(`theorem t : ${type}`);
  return { name, text: `theorem ${name} : ${type}` };
}

/** The name of a statement as a helper lemma. */
export const helperName = (statement: string): string => `${lemmaName(statement) ?? 'helper'}${helperEnd}`;

/** Mathlib's ending for a lemma that serves one proof; no theorem of the library has it. */
const helperEnd = '_aux';

/** The name of a helper lemma. A plan must not give it to a claim, which would hide the lemma. */
export const isHelperName = (name: string): boolean => /_aux'*$/.test(name);

/** The same goal with the lemma in its context: the proof includes the lemma's own proof. */
export function withLemma(goal: LeanGoal, lemma: ProvedLemma): LeanGoal {
  const have = haveOf(lemma, goal.lent ?? []);
  const template = goal.holes.kind === 'statement' ? 'by\n  sorry' : goal.holes.template;
  return {
    ...goal,
    holes: { kind: 'sorries', template: beginningWith(have, template) },
    lent: [have, ...(goal.lent ?? [])],
  };
}

/** As a step of the block, if there is one: inside a separate `have`, Lean would require a deeper indentation. */
function beginningWith(have: string, template: string): string {
  const indent = /^by[ \t]*\n([ \t]+)\S/.exec(template)?.[1];
  if (indent === undefined) return `${have}\n${template}`;
  return `by\n${indented(have, indent)}\n${template.slice(template.indexOf('\n') + 1)}`;
}

/** Renamed if an earlier lemma has the same name, so that neither hides the other. */
function haveOf({ statement, proof }: ProvedLemma, lent: readonly string[]): string {
  const text = statement.replace(/^\s*(?:theorem|lemma)\s+/, '');
  const [name = ''] = /^[^\s:({[⦃]+/.exec(text) ?? [];
  let free = name;
  while (lent.some((one) => one.startsWith(`have ${free} `))) free += "'";
  return `have ${free}${text.slice(name.length)} := ${proof}`;
}

export function indented(text: string, indent: string): string {
  return `${indent}${text.replaceAll('\n', `\n${indent}`)}`;
}
