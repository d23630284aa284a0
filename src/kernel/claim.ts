import { axiomsUnder, constantsOf, forbidden, isStandardAxiom } from './axioms.ts';
import type { Limits } from './checker.ts';
import { Content } from './content.ts';
import { ExportedDeclarations, isRecursorName, type Stated } from './declarations.ts';
import { Terms, type Expr } from './expr.ts';
import { jsonList, malformed, object, parse } from './json.ts';
import { Kernel, type Declaration } from './kernel.ts';
import { CANDIDATE_ROOT, LibraryReader, type LibrarySource } from './library.ts';
import { nameParts, nameText, type KernelName } from './name.ts';
import { Stop, kernelRefuses, settle, type KernelOutcome } from './outcome.ts';
import { instantiateLevels } from './substitute.ts';

/** The parts of a name, as sent between processes. */
export type NameParts = readonly (string | number | bigint)[];

export interface KernelQuestion {
  /** for a claim, there is exactly one statement, and any error in its data ends the check */
  readonly kind: 'claim' | 'file';
  /** statement data, or the data of a reference file; without it, the candidate is checked alone */
  readonly statement?: string | undefined;
  /** candidate data */
  readonly candidate: string;
  readonly allowAxioms: readonly NameParts[];
  readonly library: LibrarySource;
  readonly limits?: Limits;
}

export interface KernelJudgement {
  /** one per theorem: one for a claim, one for each statement of a reference, or each listed theorem of a file */
  readonly theorems: readonly { readonly name: string; readonly outcome: KernelOutcome }[];
  /** arithmetic operations that were used without verifying the library's definition */
  readonly assumed: readonly string[];
  /** library constants that were read, as name parts */
  readonly used: readonly (readonly (string | bigint)[])[];
  readonly steps: number;
  readonly terms: number;
}

interface Claimed {
  readonly name: KernelName;
  readonly params: readonly KernelName[];
  readonly type: Expr;
}

/**
 * Judges a candidate's export against a statement's. The statement's constants are added under their own names. The
 * candidate's are added under a fresh root, unless they are equal by content to one of the statement's. The theorem
 * gets the statement's name, universe parameters and type, and the candidate's value. Throws `MissingConstant` if the
 * library source has to look something up first.
 */
export function judgeClaim(question: KernelQuestion): KernelJudgement {
  const judging = new Judging(question);
  let theorems: KernelJudgement['theorems'] = [];
  const whole = settle(() => {
    theorems = judging.run();
  });
  return {
    theorems: whole.answer === 'accept' ? theorems : [{ name: '', outcome: whole }],
    assumed: [...judging.kernel.checker.literals.assumed].sort(),
    used: [...judging.library.used].map(nameParts),
    steps: judging.kernel.checker.allSteps,
    terms: judging.terms.size,
  };
}

class Judging {
  readonly terms = new Terms();
  readonly library: LibraryReader;
  readonly kernel: Kernel;
  private readonly question: KernelQuestion;
  private readonly content: Content;
  private readonly allowed: ReadonlySet<KernelName>;
  private readonly statements: Claimed[] = [];
  private readonly definitions = new Set<KernelName>();
  /** why each rejected constant was not added */
  private readonly failed = new Map<KernelName, Stop>();
  /** the name under which the theorem of a statement was added */
  private readonly bound = new Map<KernelName, KernelName>();

  constructor(question: KernelQuestion) {
    this.question = question;
    this.library = new LibraryReader(this.terms, question.library);
    this.kernel = new Kernel(
      this.terms,
      (name) => this.library.find(name, this.kernel.checker),
      question.limits,
    );
    this.content = new Content(this.terms);
    this.allowed = new Set(question.allowAxioms.map((parts) => this.name(parts)));
  }

  private readonly inLibrary = (name: KernelName): number | undefined =>
    this.library.universeCount(name, this.kernel.checker);

  private name(parts: NameParts): KernelName {
    const { names } = this.terms;
    return parts.reduce<KernelName>(
      (name, part) => names.child(name, typeof part === 'number' ? BigInt(part) : part),
      names.anonymous,
    );
  }

  run(): KernelJudgement['theorems'] {
    const { statement } = this.question;
    if (statement !== undefined) this.readStatement(object(parse(statement)));
    if (this.question.kind === 'claim') {
      if (this.statements.length !== 1) malformed('the statement data does not state exactly one theorem');
      for (const stop of this.failed.values()) throw stop;
    }
    const isAlone = statement === undefined;
    const data = object(parse(this.question.candidate));
    const root = isAlone ? this.terms.names.anonymous : this.freshRoot();
    const candidate = new ExportedDeclarations(
      this.terms,
      data,
      (name) => this.graft(root, name),
      this.inLibrary,
    );
    for (const row of candidate.list) this.judgeRow(candidate, row, isAlone);
    if (isAlone) {
      const listed = candidate.rows.nameList(data['theorems']);
      return [
        ...listed.map((name) => this.verdict(name, () => this.verdictOn(candidate.meaning(name)))),
        ...this.othersIn(candidate, new Set(listed)),
      ];
    }
    const changed = candidate.declared.find(
      (name) => this.definitions.has(name) && candidate.meaning(name) !== name && !this.failed.has(name),
    );
    return this.statements.map((claimed) =>
      this.verdict(claimed.name, () => {
        if (changed !== undefined)
          kernelRefuses(`the file defines ${nameText(changed)} differently from the reference`, 'statement');
        const name = this.bound.get(claimed.name);
        if (name === undefined) {
          const stop = this.failed.get(candidate.meaning(claimed.name));
          if (stop !== undefined && candidate.declared.includes(claimed.name)) throw stop;
          return kernelRefuses('the theorem is missing', 'statement');
        }
        this.verdictOn(name);
      }),
    );
  }

  /** Errors elsewhere in a file. Declarations that are only unsafe or partial do not count, because they prove nothing. */
  private othersIn(
    candidate: ExportedDeclarations,
    listed: ReadonlySet<KernelName>,
  ): KernelJudgement['theorems'] {
    const faults: { name: string; outcome: KernelOutcome }[] = [];
    for (const name of candidate.declared) {
      if (listed.has(name) || this.failed.get(candidate.meaning(name))?.kind === 'unsafe') continue;
      const judged = this.verdict(name, () => this.verdictOn(candidate.meaning(name)));
      if (judged.outcome.answer !== 'accept') faults.push(judged);
    }
    return faults;
  }

  private verdict(name: KernelName, check: () => void): KernelJudgement['theorems'][number] {
    return { name: nameText(name), outcome: settle(check) };
  }

  /** A root that no name of the statement starts with. */
  private freshRoot(): KernelName {
    const { names } = this.terms;
    for (let i = 0n; ; i++) {
      const root = names.child(names.of(CANDIDATE_ROOT), i);
      if (root.children.size === 0) return root;
    }
  }

  private graft(root: KernelName, name: KernelName): KernelName {
    return nameParts(name).reduce((above, part) => this.terms.names.child(above, part), root);
  }

  private readStatement(data: ReturnType<typeof object>): void {
    const exported = new ExportedDeclarations(this.terms, data, (name) => name, this.inLibrary);
    for (const row of exported.list) {
      const stated = exported.read(row);
      if (this.add(stated)) this.content.add(stated.declaration);
    }
    for (const row of jsonList(data['statements']).map(object)) {
      const name = exported.rows.name(row['name']);
      if (name.parent === null) malformed('a statement has no name');
      const params = exported.rows.nameList(row['levels']);
      this.statements.push({ name, params, type: exported.rows.expr(row['type']) });
    }
    for (const name of exported.rows.nameList(data['definitions'])) this.definitions.add(name);
  }

  /** Lets the kernel add a declaration. If a dependency failed, it fails for the same reason. */
  private add(
    { safe, declaration }: Pick<Stated, 'safe' | 'declaration'>,
    names = namesOf(declaration),
  ): boolean {
    try {
      if (!safe)
        kernelRefuses(`${nameText(names[0] ?? this.terms.names.anonymous)} is unsafe or partial`, 'unsafe');
      for (const constant of constantsOf(declaration)) {
        const inherited =
          this.failed.get(constant) ??
          (isRecursorName(constant) ? this.failed.get(constant.parent) : undefined);
        if (inherited !== undefined) throw inherited;
        forbidden(constant);
      }
      this.kernel.add(declaration);
      return true;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.fail(names, error);
      return false;
    }
  }

  private fail(names: readonly KernelName[], why: Stop): void {
    for (const name of names) this.failed.set(name, why);
  }

  private judgeRow(candidate: ExportedDeclarations, row: ReturnType<typeof object>, isAlone: boolean): void {
    const mark = candidate.rows.mark();
    const stated = candidate.read(row);
    const { own, declaration } = stated;
    const claimed = this.statements.find(({ name }) => name === own);
    if (claimed !== undefined && declaration.kind === 'theorem') {
      const name = this.bind(claimed, declaration);
      candidate.rename(own, name);
      this.bound.set(claimed.name, name);
      return;
    }
    if (declaration.kind === 'inductive') {
      const pairs = this.content.findBlock(declaration.block, own);
      if (pairs === undefined) return void this.add(stated);
      candidate.rows.rewind(mark);
      for (const name of candidate.declares(row)) {
        const target = pairs.get(candidate.meaning(name));
        if (target !== undefined) candidate.rename(name, target);
      }
      return;
    }
    const known = this.content.find(declaration, own);
    if (known !== undefined) return candidate.rename(own, known);
    if (declaration.kind === 'axiom' && !(isAlone && this.allowed.has(own)))
      return this.fail(
        namesOf(declaration),
        new Stop('refuse', 'axiom', `the proof declares an axiom ${nameText(own)}`),
      );
    this.add(stated);
  }

  private bind(claimed: Claimed, theorem: Extract<Declaration, { value: Expr }>): KernelName {
    // the type of a statement may use another theorem of the reference, which was then added with the reference's
    // proof
    const isTaken = this.kernel.environment.find(claimed.name) !== undefined || this.failed.has(claimed.name);
    const name = isTaken ? theorem.name : claimed.name;
    if (theorem.params.length !== claimed.params.length) {
      this.fail([name], new Stop('refuse', 'statement', 'the universe parameters differ from the statement'));
      return name;
    }
    const levels = claimed.params.map((param) => this.terms.levels.param(param));
    const value = instantiateLevels(this.terms, theorem.value, theorem.params, levels);
    this.add({
      safe: true,
      declaration: { ...theorem, name, params: claimed.params, type: claimed.type, value },
    });
    return name;
  }

  /** Checks that this constant was accepted and depends only on allowed axioms. */
  private verdictOn(name: KernelName): void {
    const stop = this.failed.get(name);
    if (stop !== undefined) throw stop;
    if (!this.kernel.environment.isOwn(name)) kernelRefuses('the theorem is missing', 'statement');
    for (const axiom of axiomsUnder(this.kernel.environment, name))
      if (!isStandardAxiom(axiom) && !this.allowed.has(axiom))
        kernelRefuses(`it depends on the axiom ${nameText(axiom)}`, 'axiom');
  }
}

function namesOf(declaration: Declaration): KernelName[] {
  if (declaration.kind === 'quotient') return [];
  if (declaration.kind !== 'inductive') return [declaration.name];
  return declaration.block.types.flatMap((type) => [
    type.name,
    ...type.constructors.map((constructor) => constructor.name),
  ]);
}
