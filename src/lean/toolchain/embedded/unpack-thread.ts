import path from 'node:path';
import { workerData } from 'node:worker_threads';
import * as tar from 'tar';

/** Unpacks Lean's library in its own thread, while the main thread patches Lean. */
const { file, folder } = workerData as { readonly file: string; readonly folder: string };
await tar.extract({
  file,
  cwd: folder,
  // as root, tar would otherwise restore the user id of the archive's author
  preserveOwner: false,
  // the archive was made on a Mac: every file has a `._` companion that is not a Lean file
  filter: (name) => !path.basename(name).startsWith('._'),
});
