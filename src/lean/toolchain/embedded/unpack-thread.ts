import path from 'node:path';
import { workerData } from 'node:worker_threads';
import * as tar from 'tar';

/** Unpacks Lean's library in a thread of its own, while the main thread patches Lean. */
const { file, folder } = workerData as { readonly file: string; readonly folder: string };
await tar.extract({
  file,
  cwd: folder,
  // root would give the files to their packer's user id
  preserveOwner: false,
  // the archive was made on a Mac: every file has a `._` shadow that is not a Lean file
  filter: (name) => !path.basename(name).startsWith('._'),
});
