import { createHash } from 'node:crypto';

export const splits = ['train', 'validate', 'report'] as const;
export type Split = (typeof splits)[number];

/** Of 100 modules, 50 are for development, 25 for selection and 25 for reporting; determined by the module's name. */
export function splitOf(module: string): Split {
  const place = createHash('sha256').update(`split ${module}`).digest().readUInt32BE() % 100;
  return place < 50 ? 'train' : place < 75 ? 'validate' : 'report';
}
