import { expect, test } from 'vitest';
import { environmentOfFile } from '../../../src/lean/project/environment.ts';
import { TestProject } from '../../helpers/project.ts';

test('a project may name its modules and constants as the worker does, and sees nothing of the worker', async () => {
  const project = await TestProject.open();
  try {
    project.write('Worker/Judge.lean', 'namespace Orch\ndef judge : Nat := 7\nend Orch\n');
    project.write('Worker.lean', 'import Worker.Judge\ntheorem Orch.main : Orch.judge = 7 := rfl\n');
    const text = [
      'import Worker',
      'theorem mine : Orch.judge = 7 := Orch.main',
      'theorem theirs : Orch.protocolVersion = Orch.protocolVersion := rfl',
      'theorem code : True := by run_tac Orch.handle',
    ].join('\n');
    const file = project.write('Above.lean', text);
    const verdicts = await project.lean.gate.checkFile(
      { text, environment: environmentOfFile(file, text) },
      { deadlineMs: 120_000 },
    );
    expect(Object.fromEntries(verdicts.map(({ name, verdict }) => [name, verdict]))).toMatchObject({
      mine: 'accepted',
      theirs: 'rejected',
      code: 'rejected',
    });
  } finally {
    await project.close();
  }
});
