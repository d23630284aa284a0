import { openLean, settingsFrom } from '../../src/app.ts';

/** Builds the embedded Lean once for all test files, into the cache folder that the product itself would use. */
export default async function prepareLean(): Promise<void> {
  await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image: 'init', slots: 1 });
  await lean.pool.use(async (lease) => await lease.request('hello', {}));
}
