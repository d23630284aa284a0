import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Premise } from '../../store/premises/premise.ts';
import type { Model } from '../../models/model.ts';
import { openVectors, writeVectors, type NamedVector } from '../../store/premises/vectors.ts';
import { sha256 } from '../toolchain/fingerprint.ts';
import type { Library, RetrieverSeat } from './retrieve.ts';

type Encoder = Pick<Model, 'name' | 'embed'>;

/** Premises that an encoder is given in one question. */
const atOnce = 64;

/**
 * Premises by meaning: a model has turned each of them into a vector, and those that point where the goal's statement points come
 * first. The vectors are made once for an encoder and an environment (`orch premises --make-vectors`), since that may take hours; until then
 * the seat is empty. An encoder that does not answer says nothing: the other ways of looking go on.
 */
export function denseSeat(encoder: Encoder): RetrieverSeat {
  return async (library) => {
    const vectors = openVectors(vectorFile(library, encoder));
    if (!vectors) return undefined;
    return {
      name: 'vectors',
      async rank({ text }, limit) {
        const answer = await encoder.embed([text]);
        const [vector] = answer.ok ? answer.value.vectors : [];
        return vector ? vectors.nearest(vector, limit) : [];
      },
      close: () => vectors.close(),
    };
  };
}

/** Turns every premise of a library into a vector; `progress` hears how many are done. */
export async function makeVectors(
  library: Library,
  encoder: Encoder,
  progress: (done: number, all: number) => void,
): Promise<number> {
  return await writeVectors(vectorFile(library, encoder), pagesOf(library, encoder, progress));
}

async function* pagesOf(
  { index }: Library,
  encoder: Encoder,
  progress: (done: number, all: number) => void,
): AsyncGenerator<NamedVector[]> {
  let done = 0;
  for (const some of pages(index.all())) {
    const answer = await encoder.embed(some.map(textOf));
    if (!answer.ok)
      throw new UserError(
        'no-vectors',
        `${encoder.name} makes no vectors: ${answer.error.message}`,
        'Name a model that can with ORCH_ENCODER (docs/MODELS.md).',
      );
    yield some.map(({ name }, place) => ({ name, vector: answer.value.vectors[place] ?? [] }));
    done += some.length;
    progress(done, index.size);
  }
}

function* pages(premises: Iterable<Premise>): Generator<Premise[]> {
  let page: Premise[] = [];
  for (const premise of premises) {
    page.push(premise);
    if (page.length < atOnce) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** What the index knows about a premise: its name, and the symbols of its type. */
function textOf({ name, symbols }: Premise): string {
  return `${name} : ${symbols.join(' ')}`;
}

/** Beside the index that the vectors belong to. */
function vectorFile({ folder, name }: Pick<Library, 'folder' | 'name'>, encoder: Encoder): string {
  return path.join(folder, `${name}-${sha256(encoder.name).slice(0, 12)}.vectors.db`);
}
