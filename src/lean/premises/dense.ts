import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Premise } from '../../store/premises/premise.ts';
import type { Model } from '../../models/model.ts';
import { openVectors, writeVectors, type NamedVector } from '../../store/premises/vectors.ts';
import { sha256 } from '../../core/sha256.ts';
import type { Library, RetrieverSeat } from './retrieve.ts';

type Encoder = Pick<Model, 'name' | 'embed'>;

/** Premises per request to the encoder. */
const atOnce = 64;

/**
 * Premises by meaning: a model embeds each of them, and those closest to the goal's vector come first. Vectors are computed
 * once per encoder and environment (`orch premises --make-vectors`), which may take hours; without them this retriever returns
 * nothing. If the encoder does not answer, the other retrievers continue.
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

/** Embeds every premise of a library; `progress` receives the number done. */
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

/** The text of a premise in the index: its name and the symbols of its type. */
function textOf({ name, symbols }: Premise): string {
  return `${name} : ${symbols.join(' ')}`;
}

/** Next to the index of the vectors. */
function vectorFile({ folder, name }: Pick<Library, 'folder' | 'name'>, encoder: Encoder): string {
  return path.join(folder, `${name}-${sha256(encoder.name).slice(0, 12)}.vectors.db`);
}
