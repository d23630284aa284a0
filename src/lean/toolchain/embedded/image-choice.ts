import type { ImageName } from './embedded.ts';

/** The smallest image that can load a text: whatever it imports beyond Init needs the large one. */
export function imageFor(text: string): ImageName {
  const imports = text.matchAll(/^\s*(?:public\s+)?(?:meta\s+)?import\s+(?:all\s+)?([\w.]+)/gm);
  return [...imports].every(([, name = '']) => name === 'Init' || name.startsWith('Init.')) ? 'init' : 'std';
}
