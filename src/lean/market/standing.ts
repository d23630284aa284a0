import * as z from 'zod';
import type { Ticket } from '../../shared/events.ts';
import { environmentKey, environmentOf, type LeanEnvironment } from '../project/environment.ts';

/** The dependencies of a lemma: a preamble, and the project modules that it imports. */
export interface Standing {
  readonly preamble: string;
  readonly environment: LeanEnvironment | undefined;
}

type Placed = Pick<Ticket, 'context' | 'environment'>;

const Environment: z.ZodType<LeanEnvironment> = z.object({
  imports: z.array(z.string()),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  project: z.string().nullable(),
  only: z.literal(true).exactOptional(),
});

/**
 * The dependencies of a ticket of any orch version. Other programs can write a ledger, so its content is
 * validated.
 */
export function standingOf({ context: [preamble = ''], environment }: Placed): Standing {
  return { preamble, environment: Environment.safeParse(environment).data };
}

/** Statements with equal text mean the same only if their dependencies are equal. */
export function standsOnTheSame(one: Placed, other: Placed): boolean {
  return groundOf(one) === groundOf(other);
}

function groundOf(placed: Placed): string {
  const { preamble, environment = environmentOf(preamble) } = standingOf(placed);
  return JSON.stringify([preamble.trim(), environmentKey(environment)]);
}
