/**
 * All JavaScript functions that code inside WebAssembly can import: allowed ones with the reason, forbidden
 * ones with their effect. Hostile Lean code can write anywhere in its own memory and so call any function of
 * the module, so these imports are the only boundary. A package with an import that is in neither list is
 * refused.
 */
const groups: readonly (readonly [reason: string, names: string])[] = [
  [
    'exceptions of C++: unwinding inside the module',
    '__cxa_find_matching_catch_2 __cxa_find_matching_catch_3 __cxa_find_matching_catch_4 __cxa_find_matching_catch_6 __cxa_find_matching_catch_19 __resumeException __cxa_throw __cxa_rethrow __cxa_begin_catch __cxa_end_catch llvm_eh_typeid_for __cxa_uncaught_exceptions __cxa_current_primary_exception __cxa_rethrow_primary_exception _emscripten_throw_longjmp',
  ],
  [
    'files: served from the mounts of host/files.ts, else from a file system in memory',
    '__syscall_openat __syscall_faccessat __syscall_chdir __syscall_chmod __syscall_fchownat __syscall_dup __syscall_dup3 __syscall_fchdir __syscall_fchmod __syscall_fchmodat2 __syscall_fchown32 __syscall_fdatasync __syscall_fstat64 __syscall_stat64 __syscall_newfstatat __syscall_lstat64 __syscall_ftruncate64 __syscall_getcwd __syscall_getdents64 __syscall_mkdirat __syscall_mknodat __syscall_pipe __syscall_poll __syscall__newselect __syscall_fadvise64 __syscall_fallocate __syscall_readlinkat __syscall_unlinkat __syscall_rmdir __syscall_renameat __syscall_statfs64 __syscall_fstatfs64 __syscall_symlinkat __syscall_truncate64 __syscall_utimensat __syscall_fcntl64 __syscall_ioctl fd_close fd_read fd_write fd_sync fd_fdstat_get fd_seek fd_pread fd_pwrite _mmap_js _munmap_js _msync_js',
  ],
  [
    'threads of Lean’s own task manager, and calls that they pass to the main one (see the glue’s table of them)',
    '__pthread_create_js _emscripten_init_main_thread_js _emscripten_thread_cleanup _emscripten_thread_exit_joinable _emscripten_thread_mailbox_await _emscripten_thread_set_strongref _emscripten_notify_mailbox_postmessage _emscripten_receive_on_main_thread_js _emscripten_runtime_keepalive_clear emscripten_check_blocking_allowed emscripten_exit_with_live_runtime emscripten_unwind_to_js_event_loop emscripten_num_logical_cores emscripten_set_timeout',
  ],
  [
    'clocks, calendar, randomness',
    'emscripten_get_now emscripten_date_now clock_res_get clock_time_get _tzset_js _timegm_js _mktime_js _localtime_js _gmtime_js random_get',
  ],
  ['memory grows up to its bound', 'emscripten_resize_heap emscripten_get_heap_max'],
  [
    'the environment variables, of which there are none',
    'environ_sizes_get environ_get _emscripten_get_progname',
  ],
  [
    'the end of the process, and its final message',
    'exit proc_exit _abort_js __assert_fail _emscripten_log_formatted',
  ],
  ['a signal that the module raises for itself', '__call_sighandler'],
  ['the package’s own fixed snippets, by number', 'emscripten_asm_const_int'],
  ['addresses of compiled functions by name: our table of the module’s own, and nothing else', '_dlsym_js'],
  ['the hook through which the host reads library files', 'uv__io_fork'],
];

const refusedGroups: readonly (readonly [danger: string, names: string])[] = [
  [
    'loads a module, whose loader evaluates JavaScript',
    '_dlopen_js _emscripten_dlopen_js _dlsym_catchup_js _emscripten_dlsync_threads _emscripten_dlsync_threads_async emscripten_promise_create emscripten_promise_resolve emscripten_promise_destroy',
  ],
  [
    'reaches the network',
    '__syscall_accept4 __syscall_bind __syscall_connect __syscall_getpeername __syscall_getsockname __syscall_getsockopt __syscall_listen __syscall_recvfrom __syscall_recvmsg __syscall_sendmsg __syscall_sendto __syscall_socket getaddrinfo getnameinfo _emscripten_lookup_name emscripten_wget_data',
  ],
  ['starts a program', '_emscripten_system'],
  [
    'is not part of this build',
    'lean_uv_tcp_wait_readable lean_uv_tcp_cancel_recv lean_uv_tcp_try_accept lean_uv_udp_wait_readable lean_uv_udp_cancel_recv uv__hrtime uv__fs_event_close uv__io_poll uv__platform_invalidate_fd uv__platform_loop_init uv__platform_loop_delete uv__io_check_fd _setitimer_js _emscripten_get_last_deviceorientation_event _emscripten_get_last_devicemotion_event _emscripten_get_last_mouse_event emscripten_set_canvas_element_size',
  ],
];

const byName = (list: typeof groups): ReadonlyMap<string, string> =>
  new Map(list.flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason] as const)));

const answered = byName(groups);
const refused = byName(refusedGroups);

/** Calls that may throw: each calls a function of the module itself (exception-helper.ts). */
const isInvoke = (name: string): boolean => name.startsWith('invoke_');

export function isAnswered(name: string): boolean {
  return answered.has(name) || isInvoke(name);
}

/** A package with other imports has not been reviewed. */
export function refuseUnknownImports(names: Iterable<string>): void {
  for (const name of names)
    if (!isAnswered(name) && !refused.has(name))
      throw new Error(`wasm: the import ${name} is not on the list of imports that Lean may use`);
}

/** Replaces every forbidden import. It ends the process: see host/serve.ts. */
export function refusal(name: string): (...values: unknown[]) => never {
  return () => {
    throw new Error(
      `Lean may not ask its host for ${name}, which ${refused.get(name) ?? 'it does not need'}`,
    );
  };
}
