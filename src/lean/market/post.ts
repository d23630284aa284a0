import { failed, success, type Failed, type Result } from '../../core/result.ts';
import type { Ticket } from '../../shared/events.ts';
import { readConstraints } from '../gate/constraints.ts';
import { examineStatement } from './examine.ts';
import { theoremOf } from './lemma.ts';
import type { Market, Requested } from './market.ts';
import type { Standing } from './standing.ts';

/** A lemma that someone asks for by hand. */
export interface Wish
  extends Standing, Pick<Ticket, 'goal' | 'constraints' | 'priority' | 'requester' | 'dependencies'> {
  /** Of the theorem, where the goal is only a type. */
  readonly name: string;
  /** Whatever else helps. */
  readonly context?: readonly string[];
}

/** The name becomes Lean's text: nothing else may come with it. */
const identifier = /^[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*)*$/u;

/** Opens a ticket for a lemma that Lean can read, that no small instance refutes, and whose constraints can be checked. */
export async function postLemma(
  lean: Parameters<typeof examineStatement>[0],
  market: Market,
  { goal, name, preamble, environment, context = [], ...wish }: Wish,
  limits: Parameters<typeof examineStatement>[2] = {},
): Promise<Result<Requested>> {
  if (!identifier.test(name)) return no('bad-name', `${JSON.stringify(name)} is not a name for a theorem`);
  const [unread] = readConstraints(wish.constraints).unread;
  if (unread !== undefined)
    return no(
      'bad-constraint',
      `nobody can check the constraint ${JSON.stringify(unread)}`,
      "Known: noncomputable, '[simp] desirable', and lists after imports:, names:, without:, axioms:.",
    );
  for (const id of wish.dependencies)
    if (!(await market.retrieve(id))) return no('no-ticket', `there is no ticket ${id}`);
  const statement = theoremOf({ goal, suggested_name: name });
  const examined = await examineStatement(lean, { preamble, environment, statement }, limits);
  if (!examined.ok) return no('bad-statement', examined.error.message);
  const request = {
    ...wish,
    goal,
    goal_hash: examined.value.goalHash,
    context: [preamble, ...context],
    environment: environment ?? null,
    suggested_name: examined.value.name,
  };
  return success(await market.request(request));
}

function no(kind: string, message: string, fix = 'Nothing was posted.'): Failed {
  return failed({ kind, message, fix });
}
