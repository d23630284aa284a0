import { expect, test } from 'vitest';
import { UserError } from '../../../../src/core/errors.ts';
import { withSmallerImage } from '../../../../src/lean/project/image-choice.ts';

const other = async (): Promise<string> => {
  throw new UserError('other-lean', 'the project wants another Lean');
};

test('if an image cannot be set up a smaller one replaces it, and the reason is reported', async () => {
  const told: string[] = [];
  const broken = new Set(['lean', 'std']);
  const open = async (image: string): Promise<string> => {
    if (broken.has(image)) throw new UserError('lean-setup-failed', `no room for ${image}`);
    return image;
  };
  const tell = (why: string): void => void told.push(why);
  expect(await withSmallerImage('lean', open, tell)).toBe('init');
  expect(told).toEqual([
    'the image lean cannot be set up, using std instead: no room for lean',
    'the image std cannot be set up, using init instead: no room for std',
  ]);
  broken.add('init');
  await expect(withSmallerImage('std', open, tell)).rejects.toThrow('no room for init');
  // an error that does not depend on the image would also occur in a smaller one
  await expect(withSmallerImage('lean', other, () => expect.fail())).rejects.toThrow('another Lean');
});
