import { expect, test } from 'vitest';
import { environmentOfFile } from '../../../src/lean/project/environment.ts';
import { TestProject } from '../../helpers/project.ts';

test('a project may use the worker’s module and constant names, and cannot see the worker', async () => {
  const project = await TestProject.open();
  try {
    project.write('Worker/Judge.lean', 'namespace Orch\ndef judge : Nat := 7\nend Orch\n');
    project.write('Worker.lean', 'import Worker.Judge\ntheorem Orch.main : Orch.judge = 7 := rfl\n');
    const text = [
      'import Worker',
      'theorem mine : Orch.judge = 7 := Orch.main',
      'theorem theirs : Orch.protocolVersion = Orch.protocolVersion := rfl',
    ].join('\n');
    // separate, because next to running code nothing is accepted
    const code = 'import Worker\ntheorem code : True := by run_tac Orch.handle\n';
    const verdicts = async (written: string): Promise<Record<string, string>> => {
      const file = project.write('Above.lean', written);
      const claim = { text: written, environment: environmentOfFile(file, written) };
      const found = await project.lean.gate.checkFile(claim, { deadlineMs: 120_000 });
      return Object.fromEntries(found.map(({ name, verdict }) => [name, verdict]));
    };
    expect(await verdicts(text)).toMatchObject({ mine: 'accepted', theirs: 'rejected' });
    expect(await verdicts(code)).toMatchObject({ code: 'rejected' });
  } finally {
    await project.close();
  }
});
