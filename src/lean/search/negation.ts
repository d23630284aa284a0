/** Proves that a claim without variables is false: by deciding it, or by different constructors in an equation. */
export const falsify = 'first | decide | nofun';

/** Values for variables, by name, as Lean text. */
export type Values = readonly (readonly [name: string, value: string])[];

/** The text of a counterexample for a statement without variables. */
const noVariables = '(no variables)';

/** `n = 1, xs = [0]`: for display, and as the source of the negation's proof. */
export function instanceOf(values: Values): string {
  return values.length === 0 ? noVariables : values.map(([name, value]) => `${name} = ${value}`).join(', ');
}

/** The values in such a text. It is untrusted; the gate decides what it proves. */
function valuesIn(instance: string): Values {
  if (instance === noVariables) return [];
  return instance.split(/, (?=[^\s,=]+ = )/u).map((one) => {
    const equals = one.indexOf(' = ');
    return [one.slice(0, equals), one.slice(equals + 3)];
  });
}

/** `holds (n := 1) (xs := [0])`, where `holds` proves a goal: the goal at these values. */
function holdsAt(values: Values): string {
  return ['holds', ...values.map(([name, value]) => `(${name} := ${value})`)].join(' ');
}

/** The negation of a goal as a separate claim. The preamble declares the goal, so Lean itself elaborates what is negated. */
export function negationOf(
  { preamble, statement }: { readonly preamble: string; readonly statement: string },
  { name, universes }: { readonly name: string; readonly universes: readonly string[] },
): { readonly preamble: string; readonly same: string; readonly statement: string } {
  const levels = universes.length === 0 ? '' : `.{${universes.map(() => '0').join(', ')}}`;
  const goal = `@_root_.${name.replace(/^_private\..*?\.0\./u, '')}`;
  return {
    preamble: `${preamble}\n${statement} := sorry\n`,
    same: `theorem _root_.refuted_same : type_of% ${goal}`,
    // a counterexample in the first universe is enough
    statement: `theorem _root_.refuted_goal : ¬ (type_of% ${goal}${levels})`,
  };
}

/** A proof of the negation from values at which the goal is false. */
export function proofFrom(instance: string): string {
  return `fun holds => absurd (${holdsAt(valuesIn(instance))}) (by ${falsify})`;
}
