import { workerData } from 'node:worker_threads';
import { installHost, loadGlue, type ThreadData } from './runtime.ts';

/** The entry of every thread that Lean itself starts. An exit inside one ends the whole process. */
const data = workerData as ThreadData;
installHost({ data, onExit: () => process.kill(process.pid, 'SIGKILL') });
loadGlue(data.runtimeFolder);
