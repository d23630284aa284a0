import * as fc from 'fast-check';
import type { Argument, RuleOperation, Parameter } from '../../src/arc/language/operation.ts';
import type { Program, ProgramStep } from '../../src/arc/language/program.ts';
import { operations } from '../../src/arc/language/registry.ts';

/** Well-typed programs of all operations, whose steps are chained or refer to earlier ones. */
export const programs = fc
  .array(fc.tuple(fc.nat(), fc.nat(), fc.infiniteStream(fc.nat())), { minLength: 1, maxLength: 8 })
  .map((draws): Program => {
    const steps: ProgramStep[] = [];
    const types: ('image' | 'list')[] = [];
    for (const [choice, back, stream] of draws) {
      const of = steps.length === 0 || back % 4 === 0 ? 'input' : back % steps.length;
      const taken = of === 'input' ? 'image' : (types[of] as 'image' | 'list');
      const fitting = [...operations.values()].filter(
        ({ takes, gives }) => takes === taken || (takes === 'image' && gives === 'image'),
      );
      const operation = fitting[choice % fitting.length] as RuleOperation;
      const args: Record<string, Argument> = { of };
      const tablesLast = Object.entries(operation.parameters).sort(
        ([, a], [, b]) => Number(a.kind === 'table') - Number(b.kind === 'table'),
      );
      for (const [name, parameter] of tablesLast) args[name] = draw(parameter, stream.next().value, args);
      if (operation.framed === true) args['frame'] = 'input';
      steps.push({ op: operation.name, args });
      types.push(operation.takes === taken ? operation.gives : 'list');
    }
    if (types.at(-1) === 'list') steps.push({ op: 'compose', args: {} });
    return steps;
  });

function draw(parameter: Parameter, seed: number, args: Readonly<Record<string, Argument>>): Argument {
  switch (parameter.kind) {
    case 'colour':
      return seed % 10;
    case 'integer':
      return parameter.from + (seed % (parameter.to - parameter.from + 1));
    case 'choice':
      return parameter.of[seed % parameter.of.length] as string;
    case 'colours':
      return [seed % 10];
    case 'names':
      return [parameter.of[seed % parameter.of.length] as string];
    case 'table':
      return drawTable(parameter, seed, args);
    default:
      return parameter;
  }
}

/** Two entries: a colour, and another possible value of the table. */
function drawTable(
  { keyed, answers }: Extract<Parameter, { kind: 'table' }>,
  seed: number,
  args: Readonly<Record<string, Argument>>,
): Argument {
  const by = keyed === undefined ? 1 : args[keyed];
  const values = Array.isArray(by) ? by.length : (by as number);
  const key = (value: number): string => Array.from({ length: values }, () => value).join(',');
  const known = (...said: string[]): string => said.find((answer) => answers.knows(answer)) as string;
  const colour = `${(seed >> 4) % 10}`;
  return {
    [key(seed % 10)]: known(colour, 'drop', 'leave', 'empty'),
    [key(0)]: known('@self', '@0', 'slide down', 'by -1 2', 'take', 'ray right', 'rotate180', colour),
  };
}
