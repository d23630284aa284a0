import * as z from 'zod';
import type { Ticket } from '../../shared/events.ts';
import { environmentKey, environmentOf, type LeanEnvironment } from '../project/environment.ts';

/** What a lemma depends on: a text, and what that imports from a project. */
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

/** Of a ticket of any age; the content of a ledger has been outside of this program. */
export function standingOf({ context: [preamble = ''], environment }: Placed): Standing {
  return { preamble, environment: Environment.safeParse(environment).data };
}

/** Two statements of equal text say the same only if they have the same dependencies. */
export function standsOnTheSame(one: Placed, other: Placed): boolean {
  return groundOf(one) === groundOf(other);
}

function groundOf(placed: Placed): string {
  const { preamble, environment = environmentOf(preamble) } = standingOf(placed);
  return JSON.stringify([preamble.trim(), environmentKey(environment)]);
}
