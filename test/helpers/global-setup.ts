import { openLean, settingsFrom } from '../../src/app.ts';
import type { ImageName } from '../../src/lean/toolchain/embedded/embedded.ts';

/** Builds the embedded Lean once for all test files, into the cache folder that the product itself would use. */
export default async function prepareLean(): Promise<void> {
  // side by side, one core each: a test that had to build its own image would keep the others waiting
  await Promise.all([prepare('init'), prepare('std')]);
}

async function prepare(image: ImageName): Promise<void> {
  await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image, slots: 1 });
  await lean.pool.use(async (lease) => await lease.request('hello', {}));
}
