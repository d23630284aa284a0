import type { Reply } from '../models/wire.ts';
import { planned } from './planned-run.ts';

/** A claim that implies the goal directly. */
const claim = '∀ x y : Nat, f x = f y';

/** A plan that proves the claim by these. */
function by(...tactics: string[]): Reply {
  return planned({ steps: [{ name: 'all', claim, tactics }], finish: ['exact all _ _'] });
}

/** A plan that would end its own claim early and send its own commands to Lean. */
function smuggling(text: string, ...finish: string[]): Reply {
  const steps = [{ name: 'all', claim: `True) := trivial\n${text}\nexample : (True`, tactics: ['trivial'] }];
  return planned({ steps, finish });
}

/**
 * Invalid plans, by what is wrong with them. The goals that get these answers are false without small
 * counterexamples, so anything accepted there is a fault of orch. `written` is a file that must not be created.
 */
export function hostileAnswers(written: string): Readonly<Record<string, Reply>> {
  const write = `IO.FS.writeFile "${written}" "here"`;
  return {
    'a hole': by('intro x y; sorry'),
    'a hole by other names': by('stop trivial', 'intro x y; apply?', 'intros; exact?', 'intro x y; rw?'),
    'an axiom': smuggling('axiom all : False', 'exact all.elim', 'exact absurd all id'),
    'another theorem': smuggling('theorem t : True := trivial', 'exact t', 'trivial'),
    'another meaning of =': smuggling('local infix:50 " = " => fun _ _ => True', 'trivial', 'exact trivial'),
    'another goal': planned({
      opening: 'suffices h : True by trivial',
      steps: [{ name: 'all', claim: 'True ∧ True', tactics: ['exact ⟨trivial, trivial⟩'] }],
      finish: ['show True; trivial', 'change 0 = 0; rfl', 'clear f; trivial', 'exact unsafeCast rfl'],
    }),
    'a command': smuggling(`#eval ${write}`),
    'a program in a tactic': by(`run_tac ${write}`, `exact (by_elab do ${write}; pure default)`),
    'compiled code': by('decide +native', 'exact Lean.ofReduceBool _ true rfl', 'bv_decide'),
    'work without end': planned({
      steps: Array.from({ length: 12 }, (_, index) => ({
        name: `slow${index}`,
        claim: `∀ m : Nat, m + ${index} = ${index} + m ∧ (2 ^ 40) % 7 = ${index}`,
        tactics: ['repeat (first | skip)', 'iterate 1000000 skip', 'decide', 'exact (by omega)'],
      })),
    }),
    'numbers without end': by('exact (by decide : 2 ^ (2 ^ 40) = 0) ▸ rfl', 'norm_num [Nat.pow_succ]; rfl'),
    'words without end': { endless: 'and then ' },
    'ten megabytes': by(`exact ${'(id '.repeat(2_500_000)}`),
    'brackets without end': { say: '['.repeat(10_000) },
    'half an answer': { cutAfter: '{"opening": "intro' },
    'a claim that is not text': {
      say: '{"steps": [{"name": 1, "claim": {"then": "x"}, "tactics": "sorry"}]}',
    },
    'a refund': { say: '{"steps": []}', tookTokens: -1_000_000 },
    prose: { say: 'I think that induction will do.' },
    'a refusal': { refusal: 'I would rather not' },
    silence: { silent: true },
    'an error': { status: 500 },
  };
}
