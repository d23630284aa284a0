import { expect, test } from 'vitest';
import {
  isAnswered,
  refusal,
  refuseUnknownImports,
} from '../../../../src/lean/toolchain/embedded/imports.ts';

test.for([
  '_dlopen_js',
  '_emscripten_dlopen_js',
  'emscripten_run_script',
  'emscripten_run_script_int',
  'emscripten_async_load_script',
  '_emscripten_system',
  '__syscall_connect',
  '__syscall_socket',
  'emscripten_wget_data',
  'emscripten_create_worker',
])('Lean may not ask its host for %s', (name) => {
  expect(isAnswered(name)).toBe(false);
  expect(refusal(name)).toThrow(`Lean may not ask its host for ${name}`);
});

test('an unknown import is refused and named', () => {
  expect(() => refuseUnknownImports(['fd_read', 'invoke_vii', '_dlopen_js'])).not.toThrow();
  expect(() => refuseUnknownImports(['fd_read', 'emscripten_fetch'])).toThrow(
    'emscripten_fetch is not on the list',
  );
});
