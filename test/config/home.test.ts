import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { homeFolder, userCacheFolder } from '../../src/config/home.ts';

const home = os.userInfo().homedir;
const module = fileURLToPath(new URL('../../src/config/home.ts', import.meta.url));

test.each(['', 'here', undefined])('the home folder is absolute with HOME=%s', (given) => {
  const printed = execFileSync(
    process.execPath,
    ['-e', `import(${JSON.stringify(module)}).then(({ homeFolder }) => console.log(homeFolder()))`],
    { env: given === undefined ? {} : { HOME: given }, encoding: 'utf8' },
  );
  expect(printed).toBe(`${home}\n`);
});

test('a user without an entry in the password file has the home /', () => {
  const setuid = `process.setgid?.(54321); process.setuid?.(54321);`;
  const script = `import(${JSON.stringify(module)}).then(({ homeFolder }) => { ${process.getuid?.() === 0 ? setuid : ''} console.log(homeFolder()); })`;
  const printed = execFileSync(process.execPath, ['-e', script], { env: {}, encoding: 'utf8' });
  expect(printed).toBe(process.getuid?.() === 0 ? '/\n' : `${home}\n`);
});

test('a relative cache folder is ignored', () => {
  expect(userCacheFolder({ XDG_CACHE_HOME: 'here' })).toBe(path.join(homeFolder(), '.cache'));
  expect(userCacheFolder({ XDG_CACHE_HOME: '/there' })).toBe('/there');
});
