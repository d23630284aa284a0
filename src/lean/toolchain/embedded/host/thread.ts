import { workerData } from 'node:worker_threads';
import { installHost, loadGlue, type ThreadData } from './runtime.ts';

/** Entry point of every thread that Lean starts. An exit in one of them ends the whole process. */
const data = workerData as ThreadData;
installHost({ data, onExit: () => process.kill(process.pid, 'SIGKILL') });
loadGlue(data.runtimeFolder);
