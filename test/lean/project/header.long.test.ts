import { test } from 'vitest';
import { conversation } from '../../helpers/lean.ts';
import { expectAgreement } from './headers.ts';

const lean = conversation();

test('10,000 generated headers are read as Lean reads them', async () => {
  await expectAgreement(lean, 10_000);
});
