import { spawn } from 'node:child_process';

/** The parts of `npm run check`, longest first. They run at the same time: several of them use one core only. */
const checks = ['lint', 'typecheck', 'spell', 'unused', 'prose', 'format:check'];

async function run(script: string): Promise<boolean> {
  const begun = performance.now();
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const isGood = await new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(`${isGood ? '✓' : '✗'} ${script} (${seconds} s)`);
  if (!isGood) console.log(output.trimEnd());
  return isGood;
}

const results = await Promise.all(checks.map(run));
if (results.includes(false)) process.exitCode = 1;
