import { failed, success, type Result } from '../../core/result.ts';
import { goalText } from '../base/goal-text.ts';
import type { Lease } from '../workers/lease.ts';
import type { Failure, ProofState } from '../base/protocol.ts';

interface Node {
  readonly parent: number | undefined;
  readonly tactic: string;
  readonly state: ProofState;
}

/** The states of one interactive proof. Each tactic that works adds a child to the current node. */
export class ProofTree {
  readonly #lease: Lease;
  readonly #deadlineMs: number;
  readonly #nodes: Node[];
  #current = 0;

  static async start(
    lease: Lease,
    preamble: string,
    statement: string,
    deadlineMs: number,
  ): Promise<Result<ProofTree, Failure>> {
    const loaded = await lease.session(preamble, { deadlineMs });
    if (!loaded.ok) return failed(loaded);
    const { session } = loaded;
    const state = await lease.request('start', { session, statement }, { deadlineMs });
    return state.ok ? success(new ProofTree(lease, deadlineMs, state)) : failed(state);
  }

  private constructor(lease: Lease, deadlineMs: number, start: ProofState) {
    this.#lease = lease;
    this.#deadlineMs = deadlineMs;
    this.#nodes = [{ parent: undefined, tactic: '', state: start }];
  }

  get closed(): boolean {
    return this.#node().state.closed;
  }

  /** Undefined on success; otherwise the failure, and the current node does not change. */
  async tryTactic(tactic: string): Promise<Failure | undefined> {
    const from = this.#current;
    const state = await this.#lease.request(
      'step',
      { state: this.#node().state.state, tactic },
      { deadlineMs: this.#deadlineMs },
    );
    if (!state.ok) return state;
    this.#current = this.#nodes.push({ parent: from, tactic, state }) - 1;
    return undefined;
  }

  undo(): boolean {
    const { parent } = this.#node();
    if (parent === undefined) return false;
    this.#current = parent;
    return true;
  }

  goTo(node: number): boolean {
    if (!this.#nodes[node]) return false;
    this.#current = node;
    return true;
  }

  /** The tactics from the root to the current node, as a proof. */
  script(): string {
    const tactics: string[] = [];
    for (let node = this.#node(); node.parent !== undefined; node = this.#node(node.parent))
      tactics.unshift(node.tactic);
    return tactics.length === 0 ? 'by sorry' : `by\n  ${tactics.join('\n').replaceAll('\n', '\n  ')}`;
  }

  describeGoals(): string {
    const { goals } = this.#node().state;
    return goals.length === 0 ? 'no goals' : goals.map(goalText).join('\n\n');
  }

  describeTree(): string {
    const lines: string[] = [];
    const visit = (index: number, depth: number): void => {
      const node = this.#node(index);
      const left = node.state.goals.length;
      const mark = index === this.#current ? '*' : ' ';
      const goals = left === 0 ? 'no goals' : left === 1 ? '1 goal' : `${left} goals`;
      lines.push(`${mark} ${'  '.repeat(depth)}${index} ${node.tactic || 'start'}  (${goals})`);
      for (const [child, { parent }] of this.#nodes.entries()) if (parent === index) visit(child, depth + 1);
    };
    visit(0, 0);
    return lines.join('\n');
  }

  #node(index = this.#current): Node {
    const node = this.#nodes[index];
    if (!node) throw new Error(`no state ${index}`);
    return node;
  }
}
