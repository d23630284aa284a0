import { agentsOf, Contest } from './contest.ts';
import type { Lean } from './lean.ts';
import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { sourceName } from '../lean/base/names.ts';
import { type ExaminedFile, type Patient, examineDraft } from '../lean/improve/clinic/clinic.ts';
import { type LeanEnvironment, environmentOfFile } from '../lean/project/environment.ts';
import type { LeanGoal, Proved } from '../lean/goals/goal.ts';
import { type FileGoal, readLeanText } from '../lean/goals/lean-file.ts';
import { settingFlags } from '../config/flags.ts';
import { readText } from '../io/text-file.ts';
import type { RunOptions } from './run.ts';
import { settingsFrom } from './settings.ts';
import { prove } from './reported-run.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import { patchOf } from '../lean/writing/patch.ts';
import { withProofs } from '../lean/writing/in-place.ts';
import { SourceText } from '../lean/base/source-text.ts';
import { writeJudged } from '../lean/writing/writer.ts';
import { ledgerOf } from './ledger.ts';
import { systemClock } from '../core/clock.ts';
import { lemmaRequest } from '../lean/market/lemma.ts';
import { Market } from '../lean/market/market.ts';
import { postLemma } from '../lean/market/post.ts';
import { talk } from '../reporters/talk.ts';

export interface ClinicOptions extends RunOptions {
  readonly write?: true;
  readonly agents?: true;
  readonly timeout?: number;
  readonly profile?: string;
}

export async function clinic(file: string, options: ClinicOptions): Promise<ExitCode> {
  const settings = settingsFrom(settingFlags({ ...options, profile: options.profile ?? '2' }));
  const contest = options.agents ? new Contest(settings) : undefined;
  const requester = contest ? 'verifier' : 'clinic';
  const visit = new Visit(file, readText(file), environmentOfFile(file, readText(file)), requester);
  const agents = contest ? agentsOf(settings) : [{ name: undefined, settings }];
  if (contest && agents.length === 1) talk('no writer: no model is configured (model_writer or model)');
  const isWritten = options.write === true;
  let isWell = true;
  for (const { name, settings: own } of agents) {
    const isLast = name === agents.at(-1)?.name;
    const finished = await prove({
      settings: own,
      reporter: options.reporter,
      choice: {
        command: 'clinic',
        label: options.label ?? name,
        sources: [file],
        seed: options.seed,
        timeout: options.timeout ?? null,
        competes: contest !== undefined,
      },
      image: imageOfFiles([file]),
      nothing: 'no proof is broken (orch run proves sorrys)',
      goals: async (lean) => ({ goals: await visit.goals(lean), unreadable: [] }),
      reportsOn: { stdout: process.stderr, stderr: process.stderr },
      afterwards: async ({ proved, refuted }, lean) => {
        if (name !== undefined) contest?.add(name, proved);
        if (!isLast) return;
        const best = contest ? await contest.winners(lean) : proved;
        isWell = await visit.discharge({ proved: best, refuted, lean, settings, isWritten });
      },
    });
    // stopped by the user, or nothing is broken
    if (finished?.reason !== 'done' && finished?.reason !== 'timeout') {
      isWell &&= isLast || finished === undefined;
      break;
    }
  }
  return isWell && visit.isCurable ? ExitCode.done : ExitCode.notAll;
}

interface Discharge {
  readonly proved: readonly Proved[];
  /** Counterexamples by goal. */
  readonly refuted: ReadonlyMap<string, string>;
  readonly lean: Lean;
  readonly settings: Settings;
  readonly isWritten: boolean;
}

const judgeMs = 120_000;

/** One draft in the clinic: examine it, work on it, return it with repaired proofs. */
class Visit {
  readonly #file: string;
  readonly #raw: string;
  readonly #environment: LeanEnvironment;
  /** Who asks for the goals that stay open. */
  readonly #requester: string;
  #examined: ExaminedFile = { text: '', patients: [], incurable: [] };
  #goals: readonly { readonly declaration: string; readonly goal: LeanGoal }[] = [];
  /** Hash of the modules that it is judged with. */
  #closure = '';

  constructor(file: string, raw: string, environment: LeanEnvironment, requester: string) {
    this.#file = file;
    this.#raw = raw;
    this.#environment = environment;
    this.#requester = requester;
  }

  get isCurable(): boolean {
    return this.#examined.incurable.length === 0;
  }

  /** The goals whose proofs repair every broken proof. */
  async goals(lean: Lean): Promise<LeanGoal[]> {
    const answer = await lean.pool.use(async (lease) => await examineDraft(lease, this.#raw), {
      environment: this.#environment,
    });
    if (!answer.ok) throw new UserError('unreadable-file', `${this.#file}: ${answer.error.message}`);
    const examined = answer.value;
    this.#examined = examined;
    for (const { name, line, message } of examined.incurable)
      talk(`${this.#file}:${line}: ${name} has an error outside its proof: ${firstLine(message)}`);
    for (const { name, line, step, message } of examined.patients)
      talk(
        `${this.#file}:${line}: ${name} fails at ${step === '' ? 'its end' : `‹${firstLine(step)}›`}: ${firstLine(message)}`,
      );
    const read = await this.#read(examined.text, lean);
    const names = new Set(examined.patients.map(({ name }) => name));
    this.#goals = read.flatMap(({ declaration, goal }) =>
      goal && names.has(declaration) ? [{ declaration, goal }] : [],
    );
    return this.#goals.map(({ goal }) => goal);
  }

  /**
   * Writes repaired proofs, and requests the other goals as tickets unless they are false. Returns whether all
   * were repaired.
   */
  async discharge({ proved, refuted, lean, settings, isWritten }: Discharge): Promise<boolean> {
    const done = new Set(proved.map(({ goal }) => goal.id));
    const open = this.#goals.filter(({ goal }) => !done.has(goal.id));
    const stillOpen = new Set(open.map(({ declaration }) => declaration));
    const healed = this.#examined.patients.filter(({ name }) => !stillOpen.has(name));
    for (const { declaration, goal } of open) {
      const instance = refuted.get(goal.id);
      if (instance === undefined) await this.#ask(goal, lean, settings);
      else talk(this.#falseGoal(declaration, instance));
    }
    if (healed.length === 0) return this.#examined.patients.length === 0;
    const text = await this.#healedText(healed, proved, lean);
    if (text === undefined) return false;
    if (isWritten) await this.#write(text, lean);
    else process.stdout.write(patchOf(this.#file, this.#raw, text));
    return open.length === 0;
  }

  /** The remaining goal is false: no lemma helps, so no ticket requests one. */
  #falseGoal(declaration: string, instance: string): string {
    const patient = this.#examined.patients.find(({ name }) => name === declaration);
    const place = patient === undefined ? this.#file : `${this.#file}:${patient.line}`;
    const why = instance === '' ? 'is false' : `is false (counterexample: ${instance})`;
    // no step was kept, so the goal is the statement itself
    return patient === undefined || /:=\s*(?:by\s+)?sorry\s*$/.test(patient.after)
      ? `${place}: ${declaration} ${why}: change the statement`
      : `${place}: the goal that the kept steps of ${declaration} leave ${why}: change one of these steps, or the statement`;
  }

  /** The draft with its repaired proofs, if the gate accepts them in place. */
  async #healedText(
    healed: readonly Patient[],
    proved: readonly Proved[],
    lean: Lean,
  ): Promise<string | undefined> {
    const draft = new SourceText(this.#raw).text;
    const holed = healed.reduce((text, { before, after }) => text.replace(before, () => after), draft);
    const places = await this.#read(holed, lean);
    const proofs = proved.flatMap(({ goal, proof }) => {
      const place = places.find(({ id }) => id === goal.id)?.goal?.place;
      return place ? [{ place, proof }] : [];
    });
    const text = withProofs(holed, proofs);
    this.#closure = await lean.pool.environments.closureOf(this.#environment);
    const verdicts = await lean.gate.checkFile(
      { text, environment: this.#environment, secondKernel: 'final' },
      { deadlineMs: judgeMs },
    );
    const bad = healed.flatMap(({ name }) => {
      const verdict = verdicts.find((one) => sourceName(one.name ?? '') === name);
      return verdict?.verdict === 'accepted'
        ? []
        : [`${name}: ${verdict?.message ?? 'the gate did not judge it'}`];
    });
    for (const why of bad) talk(`not repaired, ${why}`);
    if (bad.length > 0) return undefined;
    return this.#raw.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  }

  async #write(text: string, lean: Lean): Promise<void> {
    const why = await writeJudged(
      { file: this.#file, before: this.#raw, after: text, closure: this.#closure },
      lean,
    );
    if (why !== undefined)
      throw new UserError('not-written', `${this.#file} was not written: ${why}`, 'Run it again.');
    talk(`${this.#file}: repaired`);
  }

  async #ask(goal: LeanGoal, lean: Lean, settings: Settings): Promise<void> {
    await using ledger = await ledgerOf(settings);
    const { id, statement, preamble, environment } = goal;
    const posted = await postLemma(lean, new Market(ledger.tickets, ledger.journal, systemClock), {
      goal: statement,
      name: lemmaRequest(goal, statement).name,
      preamble,
      environment,
      constraints: [],
      priority: 0.5,
      requester: `${this.#requester}: ${id}`,
      dependencies: [],
    });
    talk(
      posted.ok
        ? `${id} is still open: ticket ${posted.value.ticket.ticket_id}`
        : `${id} is still open, and no ticket asks for it: ${posted.error.message}`,
    );
  }

  async #read(text: string, lean: Lean): Promise<readonly FileGoal[]> {
    const environment = this.#environment;
    const read = await lean.pool.use(
      async (lease) => await readLeanText(lease, text, this.#file, environment),
      {
        environment,
      },
    );
    if (!read.ok) throw new UserError('unreadable-file', `${this.#file}: ${read.error.message}`);
    return read.value.goals;
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}
