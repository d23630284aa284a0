import type { Checker } from './checker.ts';
import type { Constructor, Inductive, Recursor } from './environment.ts';
import { CONSTANT, LAMBDA, PI, PROJECTION, SORT, type Expr, type Free } from './expr.ts';
import { Families, expose, type Block, type BlockType, type Family } from './families.ts';
import { isZero, levelAtMost, levelsEqual, type Level } from './level.ts';
import { nameParts, nameText, type KernelName } from './name.ts';
import { kernelRefuses } from './outcome.ts';
import { deriveRecursors } from './recursor.ts';
import { instantiate, walk } from './substitute.ts';

/**
 * Checks inductive types that are declared together, derives their recursors and adds everything to the environment.
 * On failure the environment may contain a part of it, which the caller removes.
 */
export function addInductive(checker: Checker, block: Block): void {
  const { environment } = checker;
  checker.checkParams(block.params);
  checkReservedNames(block);
  const level = checkTypes(checker, block);
  const isRecursive = mentionsItself(block);
  for (const type of block.types) {
    environment.add(inductiveInfo(checker, block, type, isRecursive));
  }
  for (const type of block.types)
    for (const constructor of type.constructors) checkConstructorType(checker, block, constructor);
  const families = new Families(checker, block);
  checkParameters(checker, block, families);
  for (const family of families.list) checkFamily(checker, families, family, level);
  for (const type of block.types)
    for (const constructor of type.constructors) {
      environment.add(constructorInfo(block, type, constructor));
    }
  const recursors = deriveRecursors(checker, block, families);
  for (const recursor of recursors) {
    environment.add(recursor);
  }
  for (const [i, recursor] of recursors.entries()) {
    const family = families.list[i];
    if (family !== undefined) checkRecursor(checker, families, family, recursor);
  }
}

/**
 * Lean's kernel names its auxiliary types `_nested.…` while it checks a block; a block that uses such names could
 * refer to them.
 */
function checkReservedNames(block: Block): void {
  for (const type of block.types)
    for (const { name, type: declared } of [type, ...type.constructors]) {
      checkReservedName(name);
      walk(declared, (node) => {
        if (node.kind === CONSTANT || node.kind === PROJECTION) checkReservedName(node.name);
        return true;
      });
    }
}

function checkReservedName(name: KernelName): void {
  if (nameParts(name)[0] === '_nested') kernelRefuses(`${nameText(name)} is a reserved name`);
}

/** Whether a field of a constructor mentions a type of the block. */
function mentionsItself(block: Block): boolean {
  const own = new Set(block.types.map((type) => type.name));
  let found = false;
  for (const type of block.types)
    for (const constructor of type.constructors)
      for (let rest = constructor.type; rest.kind === PI; rest = rest.right)
        walk(rest.left, (node) => {
          if (node.kind === CONSTANT && own.has(node.name)) found = true;
          return !found;
        });
  return found;
}

function inductiveInfo(checker: Checker, block: Block, type: BlockType, isRecursive: boolean): Inductive {
  let indexCount = -block.paramCount;
  let rest = expose(checker, type.type);
  for (let i = 0; rest.kind === PI; i++) {
    indexCount++;
    rest = expose(checker, instantiate(checker.terms, rest.right, [checker.terms.free(i, rest.left)]));
  }
  return {
    kind: 'inductive',
    name: type.name,
    params: block.params,
    type: type.type,
    paramCount: block.paramCount,
    indexCount,
    all: block.types.map((one) => one.name),
    constructors: type.constructors.map((constructor) => constructor.name),
    isRecursive,
  };
}

function constructorInfo(
  block: Block,
  type: BlockType,
  constructor: BlockType['constructors'][number],
): Constructor {
  let fieldCount = -block.paramCount;
  for (let rest = constructor.type; rest.kind === PI; rest = rest.right) fieldCount++;
  return {
    kind: 'constructor',
    name: constructor.name,
    params: block.params,
    type: constructor.type,
    inductive: type.name,
    paramCount: block.paramCount,
    fieldCount,
  };
}

/** Checks that the types are well typed, end in one universe and have the same parameters. */
function checkTypes(checker: Checker, block: Block): Level {
  const { terms } = checker;
  const params: Free[] = [];
  let level: Level | null = null;
  for (const { name, type } of block.types) {
    checker.checkForm(type, block.params);
    checker.checkType(type);
    let rest = expose(checker, type);
    if (block.paramCount > 0 && rest.kind !== PI)
      kernelRefuses(`${nameText(name)} has fewer parameters than declared`);
    for (let i = 0; rest.kind === PI; i++) {
      let variable = params[i];
      if (i >= block.paramCount) variable = terms.free(i, rest.left);
      else if (variable === undefined) params.push((variable = terms.free(i, rest.left)));
      else if (!checker.equal(rest.left, variable.left))
        kernelRefuses(`the parameters of ${nameText(name)} differ from the first type's`);
      rest = expose(checker, instantiate(terms, rest.right, [variable]));
      if (i + 1 < block.paramCount && rest.kind !== PI)
        kernelRefuses(`${nameText(name)} has fewer parameters than declared`);
    }
    if (params.length < block.paramCount)
      kernelRefuses(`${nameText(name)} has fewer parameters than declared`);
    const universe: Level =
      rest.kind === SORT
        ? rest.value
        : kernelRefuses(`the type of ${nameText(name)} does not end in a universe`);
    if (level === null) level = universe;
    else if (!levelsEqual(level, universe))
      kernelRefuses('inductive types declared together live in different universes');
  }
  return level ?? kernelRefuses('an inductive declaration without types');
}

function checkConstructorType(
  checker: Checker,
  block: Block,
  constructor: BlockType['constructors'][number],
): void {
  checker.checkForm(constructor.type, block.params);
  checker.checkType(constructor.type);
}

/** Checks that every constructor takes the parameters of the types. */
function checkParameters(checker: Checker, block: Block, families: Families): void {
  const { terms } = checker;
  for (const type of block.types)
    for (const constructor of type.constructors) {
      let rest: Expr = constructor.type;
      for (const param of families.params) {
        if (rest.kind !== PI || !checker.equal(rest.left, param.left))
          return kernelRefuses(
            `${nameText(constructor.name)} does not take the parameters of ${nameText(type.name)}`,
          );
        rest = instantiate(terms, rest.right, [param]);
      }
    }
}

/** Checks that the constructors of a family fit its universe, recurse in positive positions only, and construct it. */
function checkFamily(checker: Checker, families: Families, family: Family, level: Level): void {
  const from = families.params.length;
  const { result } = families.openAll(family.type, from);
  if (result.kind !== SORT || !levelsEqual(result.value, level))
    kernelRefuses(`${nameText(family.name)} is nested in a type of another universe`);
  for (const constructor of family.constructors) {
    if (!family.isNested) families.checkUniform(constructor.type);
    const { variables, result: target } = families.openFields(constructor.type, from);
    for (const field of variables) {
      if (!isZero(level) && !levelAtMost(checker.universe(field.left), level))
        kernelRefuses(`a field of ${nameText(constructor.name)} lives in a higher universe than its type`);
      checkPositive(checker, families, field.left, field.index, constructor.name);
    }
    const occurrence = families.occurrence(target);
    const found = occurrence === null ? undefined : families.list[occurrence.family];
    if (
      found !== family ||
      occurrence?.indices.length !== families.openAll(family.type, from).variables.length
    )
      kernelRefuses(`${nameText(constructor.name)} does not construct ${nameText(family.name)}`);
  }
}

function checkPositive(
  checker: Checker,
  families: Families,
  field: Expr,
  from: number,
  constructor: KernelName,
): void {
  let rest = field;
  for (let next = from; ; next++) {
    if (!families.mentionsOwn(rest)) return;
    rest = expose(checker, rest);
    if (!families.mentionsOwn(rest)) return;
    if (rest.kind !== PI) break;
    if (families.mentionsOwn(rest.left)) kernelRefuses(`a field of ${nameText(constructor)} is not positive`);
    const variable = checker.terms.free(Math.max(next, rest.free), rest.left);
    rest = instantiate(checker.terms, rest.right, [variable]);
  }
  const occurrence = families.occurrence(rest);
  const family = occurrence === null ? undefined : families.list[occurrence.family];
  if (occurrence === null || family === undefined)
    return kernelRefuses(`a field of ${nameText(constructor)} mentions the type in a wrong place`);
  if (occurrence.indices.length !== families.openAll(family.type, families.params.length).variables.length)
    kernelRefuses(`a field of ${nameText(constructor)} applies the type to a wrong number of arguments`);
}

/**
 * Checks that a derived recursor is well typed, and that each of its rules preserves the type. A failure would be a
 * bug in the derivation or in the theory.
 */
function checkRecursor(checker: Checker, families: Families, family: Family, recursor: Recursor): void {
  const { terms } = checker;
  checker.checkType(recursor.type);
  const levels = terms.levels.list(recursor.params.map((name) => terms.levels.param(name)));
  const before = recursor.paramCount + recursor.motiveCount + recursor.minorCount;
  for (const rule of recursor.rules) {
    const variables: Free[] = [];
    let body = rule.value;
    for (let i = 0; i < before + rule.fieldCount; i++) {
      if (body.kind !== LAMBDA) return kernelRefuses('a recursor rule takes fewer arguments than it should');
      const variable = terms.free(i, body.left);
      variables.push(variable);
      body = instantiate(terms, body.right, [variable]);
    }
    const constructor = family.constructors.find((one) => one.name === rule.constructor);
    if (constructor === undefined) return kernelRefuses('a recursor rule for no constructor');
    // the parameters have the same variables here and in the families
    const value = terms.applyAll(constructor.term, variables.slice(before));
    const type = checker.whnf(checker.check(value));
    const indices = families.occurrence(type)?.indices ?? kernelRefuses('a constructor of another type');
    const call = terms.apply(
      terms.applyAll(
        terms.applyAll(terms.constant(recursor.name, levels), variables.slice(0, before)),
        indices,
      ),
      value,
    );
    if (!checker.equal(checker.check(call), checker.check(body)))
      kernelRefuses(
        `the rule of ${nameText(recursor.name)} for ${nameText(rule.constructor)} does not keep the type`,
      );
  }
}
