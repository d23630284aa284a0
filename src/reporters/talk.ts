import { linesForPeople } from '../shared/for-people.ts';

/** A remark of orch itself, on stderr. */
export function talk(text: string): void {
  process.stderr.write(`orch: ${linesForPeople(text)}\n`);
}
