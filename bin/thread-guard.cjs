'use strict';
// Runs first in every thread of a process that runs the code of proofs (`--require`, src/lean/toolchain/embedded/cage.ts). A thread
// that is started with flags of its own (`execArgv`) would have none of ours, and so no permissions to obey; from here on each gets
// ours. Nothing leads back to Node's own constructor: the handler inherits no trap, and hooks for modules, which have a thread that
// this does not reach, cannot be registered.
const threads = require('node:worker_threads');
const modules = require('node:module');
const { Worker } = threads;
const { construct } = Reflect;
const guarded = new Proxy(Worker, {
  __proto__: null,
  construct: (target, [file, options], made) =>
    construct(target, [file, { ...options, execArgv: undefined }], made),
});
Worker.prototype.constructor = guarded;
threads.Worker = guarded;
delete modules.register;
modules.syncBuiltinESMExports();
