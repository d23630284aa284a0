import type { LemmaRequest, ProvedLemma } from '../../core/scheduler/domain.ts';
import { sha256 } from '../toolchain/fingerprint.ts';
import type { Ticket } from '../../shared/events.ts';
import { bareGoal, type LeanGoal } from '../goals/goal.ts';
import type { Goal } from '../base/protocol.ts';
import { standingOf } from './standing.ts';

/** A goal with more hypotheses than this is not a lemma that another proof could use. */
const maxHypotheses = 12;

/** A lemma that someone else wrote, in the environment of the goal. */
export function lemmaRequest({ preamble, environment }: LeanGoal, statement: string): LemmaRequest {
  const name = /^\s*(?:theorem|lemma)\s+([^\s:({[⦃]+)/.exec(statement)?.[1] ?? 'helper';
  return { statement, name, columns: { context: [preamble], environment: environment ?? null } };
}

/** What a ticket asks for, as a goal; a ticket may give only the type. */
export function ticketGoal(ticket: Ticket): LeanGoal {
  return {
    ...bareGoal,
    id: ticket.ticket_id,
    ...standingOf(ticket),
    statement: theoremOf(ticket),
    topic: 'lemma',
  };
}

export function theoremOf({ goal, suggested_name }: Pick<Ticket, 'goal' | 'suggested_name'>): string {
  return /^\s*(?:theorem|lemma)\s/.test(goal) ? goal : `theorem ${suggested_name} : ${goal}`;
}

/** `theorem helper_… (hypotheses) : target`. Nothing for a goal that Lean prints with names or holes it cannot read back. */
export function lemmaStatement({ hypotheses, target }: Goal): { name: string; text: string } | undefined {
  // a contradiction that nobody has found yet is not a lemma
  if (hypotheses.length > maxHypotheses || target === 'False') return undefined;
  const parts = [...hypotheses.flatMap(({ name, type, value }) => [name, type, value ?? '']), target];
  if (parts.some((part) => /[✝?⋯]|sorry/.test(part))) return undefined;
  if (hypotheses.some(({ value }) => value !== undefined)) return undefined;
  const binders = hypotheses.map(({ name, type }) => {
    if (type === '') return `(${name})`; // Lean finds it out
    return name === '' || name.startsWith('inst') ? `[${type}]` : `(${name} : ${type})`;
  });
  const rest = [...binders, `: ${target}`].join(' ');
  const name = `helper_${sha256(rest).slice(0, 8)}`;
  return { name, text: `theorem ${name} ${rest}` };
}

/** The same goal with the lemma in its context: the proof carries the lemma's own proof along. */
export function withLemma(goal: LeanGoal, lemma: ProvedLemma): LeanGoal {
  const have = haveOf(lemma);
  const template = goal.holes.kind === 'statement' ? 'by\n  sorry' : goal.holes.template;
  return {
    ...goal,
    holes: { kind: 'sorries', template: beginningWith(have, template) },
    lent: [have, ...(goal.lent ?? [])],
  };
}

/** As a step of the block where there is one: below a `have` of its own, Lean wants a block further to the right. */
function beginningWith(have: string, template: string): string {
  const indent = /^by[ \t]*\n([ \t]+)\S/.exec(template)?.[1];
  if (indent === undefined) return `${have}\n${template}`;
  return `by\n${indented(have, indent)}\n${template.slice(template.indexOf('\n') + 1)}`;
}

function haveOf({ statement, proof }: ProvedLemma): string {
  return `have ${statement.replace(/^\s*(?:theorem|lemma)\s+/, '')} := ${proof}`;
}

export function indented(text: string, indent: string): string {
  return `${indent}${text.replaceAll('\n', `\n${indent}`)}`;
}
