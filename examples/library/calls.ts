// One proof: check it, find it, follow the search.
import {
  assurances,
  ExitCode,
  open,
  UserError,
  type Assurance,
  type CallLimits,
  type EventBodies,
  type EventType,
  type FileAsk,
  type FoundPremise,
  type GoalClosed,
  type NamedQuestion,
  type OpenOptions,
  type Orch,
  type ProveLimits,
  type ReadWith,
  type Reference,
  type RunEvent,
  type TacticAnswer,
  type TacticsAsk,
  type TacticsTried,
  type Verdict,
  type VerdictWord,
} from 'orch';

const options: OpenOptions = { settings: { num_procs: 1, ledger: ':memory:' } };
const orch: Orch = await open(options);
const limits: CallLimits = { timeout: 120, signal: AbortSignal.timeout(600_000) };

const verdict: Verdict = await orch.check({ statement: 'theorem t : 1 + 1 = 2', proof: 'rfl' }, limits);
const word: VerdictWord = verdict.verdict;
const assurance: Assurance | null = verdict.assurance;
console.log(word, assurance, assurances.indexOf('replayed') > 0);

const against: Reference = 'theorem t : 1 + 1 = 2 := sorry';
const file: FileAsk = { text: 'theorem t : 1 + 1 = 2 := rfl', against };
const [ofFile] = await orch.checkFile(file, limits);
const reference: ReadWith | undefined = ofFile?.environments?.reference;
console.log(ofFile?.name, ofFile?.verdict, reference?.project);

const ask: TacticsAsk = { statement: 'theorem t (p q : Prop) (h : p ∧ q) : q' };
const tried: TacticsTried = await orch.tactics(ask, ['exact h.2', 'exact h.1'], limits);
const answers: readonly TacticAnswer[] = tried.ok ? tried.answers : [];
console.log(answers.map(({ tactic, ok }) => `${tactic}: ${ok}`).join(', '));

const premises: readonly FoundPremise[] = await orch.premises('n + 0 = n', 3);
console.log(premises.length);

const search: ProveLimits = { goalCpu: 20, seed: 1 };
const closed: GoalClosed = await orch.prove({ statement: 'theorem t (n : Nat) : n + 0 = n' }, search);
console.log(closed.solved);

const wanted: NamedQuestion[] = [{ id: 'sum', statement: 'theorem sum (n : Nat) : 0 + n = n' }];
const wait: EventType = 'goal-closed';
const report = ({ solved }: EventBodies['goal-closed']): void => console.log('sum', solved);
for await (const event of orch.run(wanted, { goalCpu: 20 })) {
  const { type }: RunEvent = event;
  if (type === wait && event.type === 'goal-closed') report(event);
}

try {
  await orch.checkFile({ file: '/nowhere/A.lean' });
} catch (error) {
  console.log(error instanceof UserError, ExitCode.broken);
}
await orch.close();

// prints:
// accepted replayed true
// t accepted null
// exact h.2: true, exact h.1: false
// 3
// true
// sum true
// true 2
