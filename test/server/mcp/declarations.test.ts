import { expect, test } from 'vitest';
import { declarationsIn } from '../../../src/server/mcp/declarations.ts';

test('names of declarations contain their namespaces', () => {
  const text = `namespace A
theorem one : 1 = 1 := rfl
section S
namespace B.C
def two := 2
theorem _root_.three : 3 = 3 := rfl
end B.C
lemma four : 4 = 4 := rfl
end S
mutual
def five := 5
end
namespace D
@[simp] private theorem six : 6 = 6 := rfl -- namespace E
end A.D
noncomputable section
abbrev seven := 7
end
theorem eight : 8 = 8 := rfl
`;
  const view = { name: 'Demo.lean', file: '/Demo.lean', text, version: '' };
  expect(declarationsIn(view).map(({ name }) => name)).toEqual([
    'A.one',
    'A.B.C.two',
    'three',
    'A.four',
    'A.five',
    'A.D.six',
    'seven',
    'eight',
  ]);
});
