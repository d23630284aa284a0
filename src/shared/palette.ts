/** The usual ARC colours, 0 to 9. */
export const palette = [
  '000000',
  '1E93FF',
  'F93C31',
  '4FCC30',
  'FFDC00',
  '999999',
  'E53AA3',
  'FF851B',
  '87D8F1',
  '921231',
] as const;
