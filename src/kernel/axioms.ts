import type { Environment } from './environment.ts';
import { CONSTANT, PROJECTION, type Expr } from './expr.ts';
import type { Declaration } from './kernel.ts';
import { nameText, type KernelName } from './name.ts';
import { kernelRefuses } from './outcome.ts';
import { walk } from './substitute.ts';

const standard = new Set(['propext', 'Classical.choice', 'Quot.sound']);

/** These make Lean's kernel run compiled code, or record that it did. */
const compiled = new Set([
  'Lean.reduceBool',
  'Lean.reduceNat',
  'Lean.ofReduceBool',
  'Lean.ofReduceNat',
  'Lean.trustCompiler',
]);

export function isStandardAxiom(name: KernelName): boolean {
  return standard.has(nameText(name));
}

/** A result that depends on such an axiom was not proved, or was proved by running compiled code. */
export function leavesProofsOut(name: KernelName): boolean {
  const text = nameText(name);
  return text === 'sorryAx' || text === 'Lean.trustCompiler' || /^Lean\.ofReduce(?:Bool|Nat)$/.test(text);
}

/** Refuses constants that no proof may mention. */
export function forbidden(name: KernelName): void {
  const text = nameText(name);
  if (text === 'sorryAx') kernelRefuses('the proof contains sorry', 'sorry');
  if (compiled.has(text)) kernelRefuses(`the proof depends on ${text}`, 'axiom');
}

function addConstants(e: Expr, into: Set<KernelName>): void {
  walk(e, (node) => {
    if (node.kind === CONSTANT || node.kind === PROJECTION) into.add(node.name);
    return true;
  });
}

/** The constants that a declaration mentions. */
export function constantsOf(declaration: Declaration): Set<KernelName> {
  const all = new Set<KernelName>();
  if (declaration.kind === 'inductive') {
    for (const type of declaration.block.types) {
      addConstants(type.type, all);
      for (const constructor of type.constructors) addConstants(constructor.type, all);
      all.delete(type.name);
    }
  } else if (declaration.kind !== 'quotient') {
    addConstants(declaration.type, all);
    if (declaration.kind !== 'axiom') addConstants(declaration.value, all);
  }
  return all;
}

/** The axioms that a constant depends on, through everything that is not part of the library. */
export function axiomsUnder(environment: Environment, name: KernelName): Set<KernelName> {
  const axioms = new Set<KernelName>();
  const seen = new Set<KernelName>([name]);
  const stack: KernelName[] = [name];
  const push = (e: Expr): void => {
    const used = new Set<KernelName>();
    addConstants(e, used);
    for (const one of used) {
      if (seen.has(one)) continue;
      seen.add(one);
      stack.push(one);
    }
  };
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const info = environment.get(at);
    if (info.kind === 'axiom') axioms.add(at);
    if (!environment.isOwn(at)) continue;
    push(info.type);
    if (info.kind === 'definition' || info.kind === 'theorem' || info.kind === 'opaque') {
      if (info.value !== null) push(info.value);
    }
    if (info.kind === 'inductive')
      for (const constructor of info.constructors) push(environment.get(constructor).type);
  }
  return axioms;
}
