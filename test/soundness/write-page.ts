import { writeFileSync } from 'node:fs';
import { kindsOf } from './attack.ts';
import { soundnessPage } from './table.ts';
import { runAttacks, runHonest } from './run.ts';
import { expectedKinds, ways } from './suite.ts';

/** `npm run soundness`: run every attack and every honest proof, and write docs/ATTACKS.md if all is as it says. */
export const page = new URL('../../docs/ATTACKS.md', import.meta.url);

if (import.meta.main) await main();

async function main(): Promise<void> {
  const started = performance.now();
  let surprises = 0;
  const surprise = (text: string): void => {
    surprises++;
    console.error(`✗ ${text}`);
  };
  let done = 0;
  const outcomes = await runAttacks(undefined, undefined, ({ attack, entry, verdict }) => {
    done++;
    if (done % 50 === 0) console.error(`${done} of ${ways.length} attacks`);
    const isExpected = kindsOf(expectedKinds(attack, entry)).some((kind) => kind === verdict.kind);
    if (verdict.verdict === 'accepted' || !isExpected)
      surprise(
        `${attack.sort}, ${attack.disguise}, ${entry}: ${verdict.verdict} ${verdict.kind} ${verdict.message}`,
      );
  });
  const honest = await runHonest();
  for (const { honest: row, verdicts } of honest)
    for (const verdict of verdicts)
      if (verdict.verdict !== 'accepted') surprise(`${row.look}: ${verdict.kind} ${verdict.message}`);
  console.log(
    `${outcomes.length} attacks, ${honest.length} honest proofs, ${surprises} surprises, ${Math.round((performance.now() - started) / 1000)} s`,
  );
  if (surprises > 0) process.exitCode = 1;
  else writeFileSync(page, soundnessPage());
}
