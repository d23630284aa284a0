import type { Settings } from '../../config/schema.ts';
import type { ExitCode } from '../../core/exit.ts';
import { readText } from '../../io/text-file.ts';
import { writeWhole } from '../../io/whole-file.ts';
import {
  asksForSecondKernel,
  extraAxioms,
  holesOf,
  readComparison,
  replacedKernels,
  verdictsFor,
} from '../../lean/dialects/comparator.ts';
import { compareCompiled, readCompiledTree } from '../../lean/dialects/compiled.ts';
import { imageOfFiles } from '../../lean/goals/files.ts';
import { environmentOfFile } from '../../lean/project/environment.ts';
import { imageOf } from '../../lean/project/image-choice.ts';
import { leanVersion } from '../../lean/toolchain/embedded/lean-package.ts';
import { judgedBy } from '../../lean/toolchain/toolchain.ts';
import { escaped } from '../../shared/for-people.ts';
import { openLean } from '../lean.ts';
import { referenceAt, wishOf, type CheckFlags } from './claims.ts';
import { tellVerdicts } from './tell-verdicts.ts';

/** SafeVerify's comparison of two compiled modules. Nothing is elaborated: their declarations are data for the judge. */
export async function compareModules(
  submission: string,
  target: string,
  given: Settings,
  options: CheckFlags,
): Promise<ExitCode> {
  const [stated, made] = [readCompiledTree(target, leanVersion), readCompiledTree(submission, leanVersion)];
  const settings = { ...given, lean: 'embedded' as const };
  const image = imageOf([...stated.library, ...made.library]);
  await using lean = await openLean(settings, { image, slots: 1 });
  process.stderr.write(judgedBy(lean.pool.toolchain));
  const limits = { deadlineMs: options.timeout * 1000 };
  return tellVerdicts(await compareCompiled(lean.gate, stated, made, options.allowAxiom, limits), options);
}

/** Reads comparator's configuration; the gate decides. */
export async function compareByConfig(
  config: string,
  settings: Settings,
  options: CheckFlags,
): Promise<ExitCode> {
  const comparison = readComparison(config);
  const { challenge, solution, output } = comparison;
  const text = readText(solution);
  await using lean = await openLean(settings, { image: imageOfFiles([solution, challenge]), slots: 1 });
  const claim = {
    text,
    file: solution,
    environment: environmentOfFile(solution, text),
    ...referenceAt(challenge),
    holes: holesOf(comparison.config),
    allowAxioms: [...extraAxioms(comparison.config), ...options.allowAxiom],
    secondKernel: asksForSecondKernel(comparison.config) ? ('asked' as const) : wishOf(options),
  };
  const judged = await lean.gate.judgeFile(claim, { deadlineMs: options.timeout * 1000 });
  const stated = new Set(judged.declared.there.flatMap(({ constants }) => constants));
  const verdicts = verdictsFor(comparison.config, judged.verdicts, stated);
  process.stderr.write(judgedBy(lean.pool.toolchain));
  for (const name of replacedKernels(comparison.config))
    process.stderr.write(escaped`orch: orch's second kernel is used instead of ${name}\n`);
  if (output !== undefined) writeWhole(output, `${JSON.stringify(verdicts, null, 2)}\n`);
  return tellVerdicts(verdicts, options);
}
