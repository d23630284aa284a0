import { isAnswered } from './imports.ts';

/**
 * `lean.js`, the Emscripten glue, has 90 MB as shipped, nearly all of it names of the 201,110 exports. Patched,
 * it has less than 1 MB, and orch's hooks (files, threads, exits, start and restore) are calls to
 * `globalThis.orchHost`,
 * which `host/runtime.ts` installs in each thread before the glue is loaded.
 */
export interface GlueParts {
  /** Everything before and after the generated list of exports. */
  readonly head: string;
  readonly tail: string;
  /** Assignments of the exports that the rest of the glue uses. */
  readonly assignments: readonly string[];
  readonly variables: readonly string[];
  /** The names of those exports: what the patched wasm must keep. */
  readonly exports: ReadonlySet<string>;
}

const assignStart = 'function assignWasmExports(wasmExports){';

export function splitGlue(source: string): GlueParts {
  const assign = source.indexOf(assignStart);
  const variables = source.lastIndexOf('};var _main,', assign) + 2;
  const end = source.indexOf('}var wasmImports;function assignWasmImports', assign) + 1;
  if (assign < 0 || variables < 2 || end < 1) throw new Error('lean.js: the export list was not found');
  const head = source.slice(0, variables);
  const tail = source.slice(end);
  const rest = head + tail;

  const identifiers = new Set(rest.match(/[A-Za-z_$][\w$]*/g));
  const kept: string[] = [];
  const keptVariables = new Set(['wasmTable']);
  const exports = new Set<string>();
  for (const statement of source.slice(assign + assignStart.length, end - 1).split(';')) {
    const name = /wasmExports\["([^"]+)"\]/.exec(statement)?.[1];
    if (name === undefined) continue;
    const targets = [
      ...statement.slice(0, statement.indexOf('wasmExports[')).matchAll(/(?:^|=)([A-Za-z_$][\w$]*)(?==)/g),
    ].map((match) => match[1] ?? '');
    if (!targets.some((target) => identifiers.has(target))) continue;
    kept.push(statement);
    exports.add(name);
    for (const target of targets) keptVariables.add(target);
  }
  for (const match of rest.matchAll(/wasmExports(?:\["([^"]+)"\]|\.([\w$]+))/g))
    exports.add(match[1] ?? match[2] ?? '');
  keptVariables.delete('_main');
  return { head, tail, assignments: kept, variables: [...keptVariables], exports };
}

/** [text in the shipped glue, its replacement]. Each must occur; otherwise the package is an unknown version. */
const replacements = (addresses: Readonly<Record<string, number>>): [string, string][] => [
  // Symbols: a hash table instead of a linear scan; addresses are constants, so the function table is never walked.
  // As shipped, a symbol can also name any function of the glue, including those that evaluate strings.
  [
    'var __dlsym_js=(handle,symbol,symbolIndex)=>{symbol=UTF8ToString(symbol);',
    'var __dlsym_js=(handle,symbol,symbolIndex)=>{return orchHost.findSymbol(symbol);',
  ],
  [
    'if(typeof value=="function"){newValue=addFunction(value)}',
    'if(orchAddresses[symName]){newValue=orchAddresses[symName]}else if(typeof value=="function"){newValue=addFunction(value)}',
  ],
  [
    'if(entry.value==-1){var value=',
    'if(entry.value==-1&&orchAddresses[symName]){entry.value=orchAddresses[symName];continue}if(entry.value==-1){var value=',
  ],
  ['functionsInTableMap=new WeakMap;updateTableMap(0,wasmTable.length)', 'functionsInTableMap=new WeakMap'],
  [
    'var FS_stdin_getChar_buffer=[]',
    `var orchAddresses=${JSON.stringify(addresses)};var FS_stdin_getChar_buffer=[]`,
  ],
  // Exceptions: WebAssembly's own, caught by the helper module.
  ['return imports}', 'return orchHost.exceptions.wire(imports,(threw,value)=>_setThrew(threw,value))}'],
  ['throw Infinity', 'orchHost.exceptions.raise(0)'],
  // Start, restore and end belong to the host.
  ['var Module=typeof Module!="undefined"?Module:{};', 'var Module=orchHost.module;'],
  [
    'callRuntimeCallbacks(__RELOC_FUNCS__);callRuntimeCallbacks(onInits);',
    'if(orchHost.restore){FS.init();TTY.init();SOCKFS.root=FS.mount(SOCKFS,{},null);PIPEFS.root=FS.mount(PIPEFS,{},null);orchHost.restore(wasmExports);FS.ignorePermissions=false;return}callRuntimeCallbacks(__RELOC_FUNCS__);callRuntimeCallbacks(onInits);',
  ],
  [
    'try{var ret=entryFunction(argc,argv);exitJS(ret,true);return ret}',
    'try{orchHost.beforeMain();entryFunction(argc,argv);return orchHost.afterMain()}',
  ],
  ['var handleException=e=>{', 'var handleException=e=>{if(orchHost.isUnwind(e))return 0;'],
  ['function _proc_exit(code){', 'function _proc_exit(code){orchHost.exit(code);'],
  // Emscripten ends a program (without a status) when its event loop is empty; ours continues.
  [
    'var exitJS=(status,implicit)=>{',
    'var exitJS=(status,implicit)=>{if(status===undefined)return;orchHost.exit(status);',
  ],
  [
    'function callMain(',
    'orchHost.glue={get exports(){return wasmExports},get memory(){return wasmMemory},get HEAP32(){growMemViews();return HEAP32},get HEAPU8(){growMemViews();return HEAPU8},get HEAPU32(){growMemViews();return HEAPU32},get HEAP64(){growMemViews();return HEAP64},get wasmModule(){return wasmModule},UTF8ToString,PThread,writeStat:(buffer,stat)=>SYSCALLS.writeStat(buffer,stat)};function callMain(',
  ],
  // Threads: no pool filled in advance, our entry file, a stack deep enough for Lean.
  ['var pthreadPoolSize=4;', 'var pthreadPoolSize=orchHost.threadPool;'],
  ['worker_threads["workerData"]=="em-pthread"', 'worker_threads["workerData"]?.thread=="em-pthread"'],
  [
    'new Worker(pthreadMainJs,{workerData:"em-pthread",name:"em-pthread"})',
    'new Worker(orchHost.threadEntry,orchHost.threadOptions())',
  ],
  // The sandbox: no folder of the host is mounted, and there is no shell.
  [
    'FS.mount(NODEFS,{root:"/home"},"/home");FS.mount(NODEFS,{root:"/tmp"},"/tmp");',
    'FS.mkdirTree("/lean/bin");FS.writeFile("/lean/bin/lean","");',
  ],
  // the host's file system is not set up, because it would call Node functions that are denied here
  ['if(ENVIRONMENT_IS_NODE){NODEFS.staticInit()}', ''],
  ['FS.chdir(cwd)}else{function mkdirSafe', '}else{function mkdirSafe'],
  ['if(isNode){path=__filename}else{path="/bin/lean.wasm"}', 'path="/lean/bin/lean";'],
  ['require("child_process")', 'orchHost.refuse("child_process")()'],
  ['WebSocketConstructor=require("ws")', 'WebSocketConstructor=orchHost.refuse("ws")()'],
  ['require("ws").Server', 'orchHost.refuse("ws")().Server'],
];

/** File calls are answered in the calling thread; as shipped, each one is a round trip to the main thread. */
const fileCalls: Readonly<Record<string, string>> = {
  ___syscall_openat: 'openat(dirfd,path,flags)',
  ___syscall_stat64: 'stat(path,buf)',
  ___syscall_lstat64: 'stat(path,buf)',
  ___syscall_newfstatat: 'stat(path,buf)',
  ___syscall_fstat64: 'fstat(fd,buf)',
  ___syscall_renameat: 'rename(oldpath,newpath)',
  ___syscall_faccessat: 'access(path)',
  _fd_read: 'read(fd,iov,iovcnt,pnum)',
  _fd_write: 'write(fd,iov,iovcnt,pnum)',
  _fd_seek: 'seek(fd,offset,whence,newOffset)',
  _fd_close: 'close(fd)',
};

export function patchGlue(parts: GlueParts, addresses: Readonly<Record<string, number>>): string {
  // The two halves hold disjoint text; a marker that neither contains lets one pass patch both.
  const seam = '\u0000';
  let glue = parts.head + seam + parts.tail;
  for (const [from, to] of replacements(addresses)) glue = replaceOnce(glue, from, to);
  for (const [name, call] of Object.entries(fileCalls)) {
    const opening = new RegExp(`function ${name}\\([^)]*\\)\\{`).exec(glue)?.[0];
    if (opening === undefined) throw new Error(`lean.js: ${name} was not found`);
    glue = replaceOnce(
      glue,
      opening,
      `${opening}var handled=orchHost.files.${call};if(handled!==undefined)return handled;`,
    );
  }
  glue = glue.replace(/\beval\(/g, 'orchHost.refuse("eval")(');
  glue = glue.replace(proxiedFunctions, (_, names: string) => `var proxiedFunctionTable=[${proxied(names)}]`);
  const exportList = `var _main,${parts.variables.join(',')};${assignStart}${parts.assignments.join(';')}}`;
  glue = replaceAll(glue, 'throw exceptionLast', 'orchHost.exceptions.raise(exceptionLast)');
  glue = replaceAll(glue, 'if(e!==e+0)throw e', 'if(!orchHost.exceptions.isRaised(e))throw e');
  return glue.replace(/console\.log\("\[DEBUG/g, '(()=>{})("[DEBUG').replace(seam, () => exportList);
}

/**
 * The functions that a thread may run in the main thread, by number. An attacker can forge the number, so none
 * of them may be dangerous.
 */
const proxiedFunctions = /var proxiedFunctionTable=\[([^\]]*)\]/;
const ownProxied = new Set(['exitOnMainThread', 'pthreadCreateProxied']);

function proxied(names: string): string {
  return names
    .split(',')
    .map((name) =>
      ownProxied.has(name) || isAnswered(name.replace(/^_/, ''))
        ? name
        : `orchHost.refuse(${JSON.stringify(name)})`,
    )
    .join();
}

function replaceAll(text: string, from: string, to: string): string {
  return replaceOnce(text, from, to).replaceAll(from, () => to);
}

function replaceOnce(text: string, from: string, to: string): string {
  if (!text.includes(from))
    throw new Error(`lean.js: unknown version of the package; missing: ${from.slice(0, 80)}`);
  return text.replace(from, () => to);
}
