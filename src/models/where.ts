import type { Model } from './model.ts';

/** Addresses of this machine and its local network: a model there runs on a local GPU. */
const near =
  /^(?:localhost|.*\.local|127\.\d+\.\d+\.\d+|\[::1\]|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+)$/;

export function runsOnOf(url: string): Model['runsOn'] {
  return near.test(new URL(url).hostname) ? 'gpu' : 'cloud';
}
