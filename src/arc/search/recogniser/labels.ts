import type { Arguments, RuleOperation } from '../../language/operation.ts';
import { familyOfOperation } from '../../language/alternatives.ts';
import { operations } from '../../language/registry.ts';

/** What the recogniser ranks: an operation with its arguments, but for colours, whose names mean nothing. */
export function operationLabel({ name, parameters }: RuleOperation, args: Arguments): string {
  const said = Object.keys(parameters)
    .filter((parameter) => parameters[parameter]?.kind !== 'colour')
    .map((parameter) => JSON.stringify(args[parameter]));
  return [name, ...said].join(' ');
}

/** A family, which speaks for operations that a network has not been shown. */
export function familyLabel({ name }: RuleOperation): string {
  return `family ${familyOfOperation(name)}`;
}

/** All that can be ranked today, in a fixed order: every way in which the search tries an operation, then the families. */
export function allLabels(): string[] {
  const tried = [...operations.values()].filter(({ search }) => search.length > 0);
  return [
    ...new Set([
      ...tried.flatMap((operation) => operation.search.map(({ args }) => operationLabel(operation, args))),
      ...tried.map(familyLabel),
    ]),
  ];
}
