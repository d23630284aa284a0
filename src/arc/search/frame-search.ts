// Over 300 lines because the learners of one search share canvas, pieces and limits.
import { definite, notNull } from '../../core/errors.ts';
import type { Image } from '../language/image.ts';
import type { Arguments, StepReference } from '../language/operation.ts';
import { choicesFor } from '../language/variants.ts';
import { isOffered } from '../language/vocabulary.ts';
import { drawStack, nearPieces, shapedPieces } from './bases.ts';
import type { Proposal } from './candidate.ts';
import { Canvas } from './canvas.ts';
import type { Decision } from './decide.ts';
import type { Emitter } from './emit.ts';
import { cellArguments, proposalIn } from './emit-rule.ts';
import { Graph } from './graph.ts';
import { learnCells } from './learn.ts';
import { learnMoves, mayBeMoved } from './learn-moves.ts';
import { learnTiles } from './learn-tiles.ts';
import { learnTreatments } from './learn-treatments.ts';
import { learnPieces } from './learn-pieces.ts';
import { learnListRules } from './list-rules.ts';
import { everywhereOf, Pieces } from './pieces.ts';
import type { FrameGuess } from './sizes.ts';
import {
  distinctStacks,
  exactByPair,
  exactPieces,
  openingPieces,
  pairMask,
  stackFrom,
  type Stack,
} from './stack.ts';
import type { SearchLimits } from './view-search.ts';
import type { ViewedTask } from './views.ts';
import { Work } from './work.ts';
import { makingImage } from '../language/registry.ts';

/** Number of pieces, earliest first, that are tried as tiles of an output. */
const mostTileSources = 1500;

/** Number of bases searched for treatments, including the input: on grids with many objects each takes half a second. */
const mostTreatedBases = 3;

/** Moves are learned first and may use this share of the work; on grids with many objects they would otherwise use all of it. */
const movesShare = 1 / 5;

/** The outputs of a task are small if they have at most this many cells in total. */
const smallOutputs = 240;

/** One view, one guess of the output sizes. */
export class FrameSearch {
  readonly #view: ViewedTask;
  readonly #guess: FrameGuess;
  readonly #limits: SearchLimits;
  readonly #pieces: Pieces;
  readonly #canvas: Canvas;
  /** The work of the learners, counted separately so that a long enumeration cannot use it up. */
  readonly #learning: Work;

  constructor(
    view: ViewedTask,
    guess: FrameGuess,
    limits: SearchLimits,
    work: { readonly enumerating: number; readonly learning: number },
  ) {
    this.#view = view;
    this.#guess = guess;
    this.#limits = limits;
    this.#learning = new Work(work.learning);
    const choices = choicesFor(view.roots, view.targets, true);
    const bounds = choices.map(({ bound }) => bound);
    const everywhere = everywhereOf(choices);
    const graphs = view.roots.map(
      (root, i) => new Graph(root, definite(guess.frames[i]), bounds, everywhere),
    );
    this.#pieces = new Pieces(graphs, choices);
    this.#canvas = new Canvas(view.targets, guess.frames, limits.pieces);
    this.#pieces.grow({ cost: limits.cost, tuples: limits.tuples, work: work.enumerating }, (tuple) => {
      const images = this.#pieces.images(tuple);
      return images !== null && this.#canvas.add(images, tuple, this.#pieces.costs[tuple] ?? 0);
    });
  }

  /** Whether cell rules use all features: this is cheap if the outputs are small. */
  get #wide(): boolean {
    const cells = this.#guess.frames.reduce((sum, frame) => sum + frame.cells.length, 0);
    return cells <= smallOutputs;
  }

  get enumerated(): number {
    return this.#pieces.work;
  }

  get learned(): number {
    return this.#learning.spent;
  }

  proposals(): Proposal[] {
    const stacks = this.#stacks();
    const found = stacks.map(({ stack, held }) =>
      this.#proposal('stack', held, (emitter) => this.#emitStack(emitter, stack.pieces)),
    );
    const learners: Readonly<Record<string, () => Proposal[]>> = {
      moves: () => this.#moveRules(),
      treatments: () => this.#treatmentRules(this.#view.roots, (emitter) => emitter.root),
      tiles: () => this.#tileRules(),
      members: () => this.#listRules(),
      pieces: () => this.#pieceRules(),
      cells: () => this.#cellRules(stacks[0]?.stack),
    };
    for (const [name, learn] of Object.entries(learners))
      if (isOffered('learner', name)) found.push(...learn());
    return [...found, ...this.#nearPieces()];
  }

  /** The nearest pieces, unchanged: if nothing fits, an edit can start from one of them. */
  #nearPieces(): Proposal[] {
    return nearPieces(this.#canvas, this.#limits.bases).map((piece) =>
      this.#proposal('near', 0, (emitter) => this.#emitStack(emitter, [piece])),
    );
  }

  #stacks(): { stack: Stack; held: number }[] {
    const canvas = this.#canvas;
    const all = pairMask(canvas, () => true);
    const pairs = this.#view.targets.length;
    const stacks: Stack[] = exactPieces(canvas, all)
      .slice(0, 24)
      .map((piece) => ({ pieces: [piece], exactPairs: pairs, cost: (canvas.costs[piece] ?? 0) + 8 }));
    for (const first of [null, ...openingPieces(canvas, all, this.#limits.openings)]) {
      const stack = stackFrom(canvas, all, first);
      if (stack.pieces.length > 0) stacks.push(stack);
    }
    stacks.sort((a, b) => b.exactPairs - a.exactPairs || a.cost - b.cost);
    const best = distinctStacks(stacks).slice(0, 10);
    const held = best[0]?.exactPairs === pairs && pairs > 1 ? this.#held() : 0;
    // In a single piece, only the choice of the piece was fitted.
    return best.map((stack) => ({ stack, held: stack.pieces.length === 1 ? (1 + held) / 2 : held }));
  }

  /** Leave-one-out: the share of pairs that are right when the choice is made without them. */
  #held(): number {
    const canvas = this.#canvas;
    const pairs = this.#view.targets.length;
    let held = 0;
    for (let out = 0; out < pairs; out++) {
      const mask = pairMask(canvas, (pair) => pair !== out);
      const exact = exactPieces(canvas, mask)[0];
      const chosen = exact === undefined ? stackFrom(canvas, mask, null).pieces : [exact];
      if (exactByPair(canvas, chosen)[out] === true) held++;
    }
    return held / pairs;
  }

  #moveRules(): Proposal[] {
    const { widen, learners } = this.#limits;
    if (learners === 'few') return [];
    const limits = { widen, deepest: 2, work: this.#learning.part(movesShare) };
    const { roots, targets } = this.#view;
    const rules = learnMoves(roots, targets, limits, 4);
    if (rules.length === 0 && mayBeMoved(roots, targets))
      this.#moved = learnMoves(roots, targets, limits, 2, 'filling').flatMap(({ args }) =>
        this.#movedBy(args),
      );
    return rules.map(({ args, held }) =>
      this.#proposal('moves', held, (emitter) => emitter.add('move_objects', args, emitter.root)),
    );
  }

  /** Bases with the same filled cells as the outputs but perhaps other colours: objects are moved but not yet recoloured. */
  #moved: readonly Base[] = [];

  #movedBy(args: Arguments): Base[] {
    const apply = makingImage('move_objects', args);
    const images = this.#view.roots.map((root) => apply(root, root));
    if (!images.every((moved) => moved !== null)) return [];
    return [{ images, emit: (emitter) => emitter.add('move_objects', args, emitter.root), again: false }];
  }

  #treatmentRules(images: readonly Image[], emit: Base['emit']): Proposal[] {
    const { widen, learners } = this.#limits;
    if (learners === 'few') return [];
    const limits = { widen, deepest: 2, work: this.#learning };
    const rules = learnTreatments(images, this.#view.targets, limits, 4);
    return rules.map(({ args, held }) =>
      this.#proposal('treatments', held, (emitter) => emitter.add('treat_objects', args, emit(emitter))),
    );
  }

  /** Tilings by copies of the input or of one of the cheapest pieces. */
  #tileRules(): Proposal[] {
    const pieces = this.#pieces;
    const tuples = Array.from({ length: Math.min(pieces.count, mostTileSources) }, (_, tuple) => tuple);
    const sources = tuples.flatMap((tuple) => {
      const images = pieces.images(tuple);
      return images === null ? [] : [{ tuple, images, cost: pieces.costs[tuple] ?? 0 }];
    });
    const limits = { widen: this.#limits.widen, deepest: 2, work: this.#learning };
    return learnTiles(sources, this.#view.targets, limits, 4).map(({ source, args, held }) =>
      this.#proposal('tiles', held, (emitter) => {
        const tuple = definite(sources[source]).tuple;
        return emitter.add(
          'tile',
          args,
          emitter.tuple(pieces, tuple, () => this.#emitFrame(emitter)),
        );
      }),
    );
  }

  #listRules(): Proposal[] {
    const limits = { widen: this.#limits.widen, deepest: 2, work: this.#learning };
    return learnListRules(this.#pieces, this.#guess.frames, this.#view.targets, limits).map(
      ({ held, emit }) =>
        this.#proposal('members', held, (emitter) => emit(emitter, () => this.#emitFrame(emitter))),
    );
  }

  #pieceRules(): Proposal[] {
    const { widen, columns } = this.#limits;
    const limits = { widen, deepest: 2, columns, work: this.#learning };
    const rules = learnPieces(this.#canvas, this.#pieces, this.#guess.frames, this.#view.targets, {
      ...limits,
      most: 4,
    });
    return rules.map((rule) =>
      this.#proposal('pieces', rule.held, (emitter) => {
        const parts = rule.pieces.map((piece) => this.#emitStack(emitter, [piece]));
        const args = { table: rule.answerTable, keys: rule.columns.length, else: 'keep' };
        return emitter.add('cells_of_list', args, parts);
      }),
    );
  }

  #cellRules(stack: Stack | undefined): Proposal[] {
    const proposals: Proposal[] = [];
    const seen = new Set<string>();
    const open: Base[] = this.#bases(stack);
    for (let next = open.shift(); next !== undefined && !this.#learning.isOver; next = open.shift()) {
      const { images, emit, again } = next;
      const key = images.map(({ cells }) => cells.join('')).join('|');
      if (seen.has(key)) continue;
      seen.add(key);
      const { decided, near } = this.#learn(images);
      // A table that keeps every cell adds nothing to its base.
      for (const rule of decided)
        if (Object.values(rule.table).some((answer) => answer !== '@self'))
          proposals.push(
            this.#proposal('cells', rule.held, (emitter) => this.#emitRule(emitter, rule, emit(emitter))),
          );
      // A treatment of objects may complete a piece or an unfinished rule.
      if (images !== this.#view.roots && seen.size <= mostTreatedBases)
        proposals.push(...this.#treatmentRules(images, emit));
      if (near !== null)
        proposals.push(this.#proposal('near', 0, (emitter) => this.#emitRule(emitter, near, emit(emitter))));
      // A second step on the residual: other features may decide the cells that the best two could not.
      if (near !== null && again)
        open.push({
          images: this.#acted(near, images),
          emit: (emitter) => this.#emitRule(emitter, near, emit(emitter)),
          again: false,
        });
    }
    return proposals;
  }

  /** Images of the output's size from which the output may be a few cells away. */
  #bases(stack: Stack | undefined): Base[] {
    const { roots } = this.#view;
    const { frames } = this.#guess;
    const bases: Base[] = [{ images: roots, emit: (emitter) => emitter.root, again: true }, ...this.#moved];
    if (this.#wide && frames !== roots)
      bases.push({ images: frames, emit: (emitter) => this.#emitFrame(emitter), again: false });
    const near = nearPieces(this.#canvas, this.#limits.bases);
    // if the outputs have the input's size, the input itself is the base for recolouring
    const shaped = frames === roots ? [] : shapedPieces(this.#canvas, this.#limits.shaped);
    const tries: (readonly number[])[] = [...new Set([...near.slice(0, 1), ...shaped, ...near])].map(
      (piece) => [piece],
    );
    if (stack !== undefined && stack.pieces.length > 1 && stack.pieces.length <= 3) tries.push(stack.pieces);
    for (const pieces of tries)
      bases.push({
        images: drawStack(this.#canvas, this.#pieces, frames, pieces),
        emit: (emitter) => this.#emitStack(emitter, pieces),
        again: false,
      });
    return bases;
  }

  #learn(images: readonly Image[]): ReturnType<typeof learnCells> {
    const { targets, inputs } = this.#view;
    const { widen, deepest } = this.#limits;
    const limits = { widen, deepest, work: this.#learning };
    return learnCells({ bases: images, targets, inputs, wide: this.#wide }, limits, 4);
  }

  /** The bases after an unfinished rule has acted on them. */
  #acted(rule: Decision, images: readonly Image[]): Image[] {
    const apply = makingImage('cells', cellArguments(rule));
    return images.map((base, g) => notNull(apply(base, definite(this.#view.inputs[g]))));
  }

  #emitRule(emitter: Emitter, rule: Decision, base: StepReference): StepReference {
    return emitter.add('cells', cellArguments(rule), base);
  }

  #emitFrame(emitter: Emitter): StepReference {
    return emitter.once('frame', () => this.#guess.emit(emitter));
  }

  #emitStack(emitter: Emitter, stack: readonly number[]): StepReference {
    const tuples = stack.map((piece) => this.#canvas.tupleOf(piece));
    const frame = (): StepReference => this.#emitFrame(emitter);
    const references = tuples.map((tuple) => emitter.tuple(this.#pieces, tuple, frame));
    if (tuples.length === 1 && this.#covers(tuples[0] ?? 0)) return definite(references[0]);
    return emitter.add('stack', { frame: frame() }, references);
  }

  #covers(tuple: number): boolean {
    const images = this.#pieces.onlyImages(tuple);
    return images.every(({ width, height }, g) => {
      const frame = definite(this.#guess.frames[g]);
      return width === frame.width && height === frame.height;
    });
  }

  #proposal(by: string, held: number, emit: (emitter: Emitter) => StepReference): Proposal {
    return proposalIn(this.#view, by, held, emit);
  }
}

/** An image of the output's size for every input, and how a program makes it. */
interface Base {
  readonly images: readonly Image[];
  readonly emit: (emitter: Emitter) => StepReference;
  /** Whether a second step may follow an unfinished rule. */
  readonly again: boolean;
}
