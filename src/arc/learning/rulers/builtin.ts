import { teach } from '../../search/teacher.ts';
import { edit, type DirectiveKind } from '../../search/edit.ts';
import { normalForm } from '../../language/normal.ts';
import type { Program } from '../../language/program.ts';
import { refitted } from '../../search/refit.ts';
import { verify } from '../../verify/verify.ts';
import type { Draft, DraftRequest, EditRequest, Proposed, Ruler } from './ruler.ts';
import { SeedEdits } from './seed-edits.ts';
import { armsFor } from './steer.ts';

/** Number of other constants of each kind to try in a remembered rule. */
const adaptations: readonly (readonly [DirectiveKind, number])[] = [
  ['REMAP_COLOUR', 24],
  ['CHANGE_ARG', 24],
  ['CHANGE_SELECTOR', 24],
];

/** The share of the drafts' nodes for remembered rules: most successful searches use less than a third of the nodes. */
const memoryShare = 0.03;

/** The teacher ruler: rules of similar tasks first, then the search; later, edits of the seeds. One per task. */
export function builtinTeacher(seed = 0): Ruler {
  const seeds = new Map<string, SeedEdits>();
  return {
    name: 'builtin',
    source: 'teacher',
    draft: (request) => Promise.resolve(draft(request, seed)),
    edit: (request) => Promise.resolve(editSeeds(request, seeds)),
  };
}

function draft(request: DraftRequest, seed: number): Proposed {
  const { task, nodes } = request;
  const remembered = recall(request);
  if (remembered.drafts.length > 0) return remembered;
  const {
    candidates,
    attempts,
    nodes: spent,
  } = teach(task, {
    maxNodes: nodes - remembered.nodes,
    seed,
  });
  const chosen = attempts.map(({ candidate }) => candidate);
  const all = [...candidates, ...chosen.filter(({ id }) => !candidates.some((one) => one.id === id))];
  return {
    drafts: all.map(({ program, by, held }) => ({ value: program, by, held, ...fresh })),
    nodes: remembered.nodes + spent,
  };
}

const fresh = { parent_id: null, directive: null };

/**
 * The first rule of a similar task that fits here: unchanged, with its table learned from these pairs, or with other constants.
 * Empty if none fits.
 */
function recall({ task, memory, nodes }: DraftRequest): { drafts: Draft[]; nodes: number } {
  const most = nodes * memoryShare;
  let spent = 0;
  const spend = (cost: number): void => {
    spent += cost;
  };
  const fits = (program: Program): boolean => {
    spend(program.length * (task.train.length + task.test.length));
    return verify(program, task).solved;
  };
  const found = (program: Program): { drafts: Draft[]; nodes: number } => ({
    drafts: [{ value: program, by: 'memory', held: 1, ...fresh }],
    nodes: spent,
  });
  for (const { program } of memory.solved_examples) {
    if (spent >= most) break;
    if (fits(program)) return found(program);
    const fitted = refitted(program, task, spend);
    if (fitted !== null && fits(fitted)) return found(fitted);
  }
  for (const { program } of memory.solved_examples) {
    if (spent >= most) break;
    const workshop = { task, fragments: [], drafts: [], spend };
    for (const [kind, count] of adaptations)
      for (const step of normalForm(program).keys())
        for (const one of edit(program, { kind, step }, workshop).take(count)) {
          if (spent >= most) break;
          if (fits(one)) return found(one);
        }
  }
  return { drafts: [], nodes: spent };
}

/** Every seed gets an equal share of the nodes; the seeds return their best edits in turn. */
function editSeeds(request: EditRequest, known: Map<string, SeedEdits>): Proposed {
  const { task, facts, memory, seeds, drafts, k, nodes } = request;
  const works = seeds.map((seed) => {
    const work = known.get(seed.judged.id);
    if (work !== undefined) return work;
    const workshop = {
      task,
      fragments: memory.fragments.map(({ program }) => program),
      drafts: drafts.filter(({ id }) => id !== seed.judged.id).map(({ program }) => program),
    };
    const made = new SeedEdits(seed, task, armsFor(seed, facts, memory.repair_cases), workshop);
    known.set(seed.judged.id, made);
    return made;
  });
  let spent = 0;
  for (const [i, work] of works.entries()) {
    const before = work.nodes;
    work.run((nodes - spent) / (works.length - i));
    spent += work.nodes - before;
    if (work.isSolved) break;
  }
  const given = works.map((work) => work.give());
  const out: Draft[] = [];
  for (let open = given; out.length < k && open.length > 0;)
    open = open.filter((drafted) => {
      const next = drafted.next();
      if (next.done !== true && out.length < k) out.push(next.value);
      return next.done !== true;
    });
  return { drafts: out, nodes: spent, tallies: works.flatMap((work) => work.tallies()) };
}
