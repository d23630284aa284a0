import { openLean } from '../../src/app/lean.ts';
import { settingsFrom } from '../../src/app/settings.ts';
import type { ImageName } from '../../src/lean/toolchain/embedded/embedded.ts';

/**
 * Builds the embedded Lean once for all test files, into the cache folder that the product itself would use. The larger image
 * is made from what the smaller one has warmed up, while the first tests run; who needs it waits for it.
 */
export default async function prepareLean(): Promise<() => Promise<void>> {
  await prepare('init');
  const larger = prepare('std');
  larger.catch(() => undefined); // reported at the end
  return async () => await larger;
}

async function prepare(image: ImageName): Promise<void> {
  await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image, slots: 1 });
  await lean.pool.use(async (lease) => await lease.request('hello', {}));
}
