import { definite } from '../../core/errors.ts';
import { parsed, treatmentParts } from '../language/treatments.ts';

/** Words of the rule language in English: criteria, directions, motions, and the actions that tables name. */

/** Criteria of a choice: the largest value wins, or the smallest. */
export const criterionWords: Readonly<Record<string, readonly [most: string, least: string]>> = {
  cells: ['with the most filled cells', 'with the fewest filled cells'],
  area: ['with the largest area', 'with the smallest area'],
  colours: ['with the most colours', 'with the fewest colours'],
  copies: ['that occurs most often', 'that occurs least often'],
  'colour-copies': ['with the most common colour', 'with the least common colour'],
  holes: ['with the most holes', 'with the fewest holes'],
  'shape-copies': ['with the most common shape', 'with the least common shape'],
  top: ['nearest to the top', 'nearest to the bottom'],
  left: ['furthest to the left', 'furthest to the right'],
  'symmetry-across': ['with left-right symmetry', 'without left-right symmetry'],
  'symmetry-upright': ['with top-bottom symmetry', 'without top-bottom symmetry'],
  'symmetry-diagonal': ['with diagonal symmetry', 'without diagonal symmetry'],
  width: ['with the greatest width', 'with the smallest width'],
  height: ['with the greatest height', 'with the smallest height'],
};

export function criterion(by: string): string {
  return by.startsWith('-') ? definite(criterionWords[by.slice(1)])[1] : definite(criterionWords[by])[0];
}

export const sideWords: Readonly<Record<string, string>> = {
  right: 'to the right',
  left: 'to the left',
  across: 'left and right',
  upright: 'up and down',
  plus: 'in the four directions',
  'down-right': 'down to the right',
  'down-left': 'down to the left',
  'up-right': 'up to the right',
  'up-left': 'up to the left',
  'falling-diagonal': 'along the falling diagonal',
  'rising-diagonal': 'along the rising diagonal',
  cross: 'along both diagonals',
  star: 'in all eight directions',
};

const motionPhrases: Readonly<Record<string, string>> = {
  identity: 'left as it is',
  rotate90: 'rotate clockwise',
  rotate180: 'rotate by 180°',
  rotate270: 'rotate anticlockwise',
  'flip-left-right': 'mirror left to right',
  'flip-top-bottom': 'mirror top to bottom',
  transpose: 'mirror along the main diagonal',
  antitranspose: 'mirror along the other diagonal',
};

export function motion(name: string): string {
  return definite(motionPhrases[name]);
}

export function tile(answer: string): string {
  if (answer === 'empty') return 'left out';
  return motion(answer)
    .replace(/^rotate/, 'rotated')
    .replace(/^mirror/, 'mirrored');
}

const verbs: Readonly<Record<string, string>> = {
  keep: 'keep it',
  drop: 'remove it',
  paint: 'paint it',
  fill: 'fill its holes',
  box: 'fill the rest of its bounding box',
  ring: 'draw a ring around it',
  core: 'paint its interior',
  'mid-plus': 'draw a plus around its centre',
  ray: 'draw lines from it{}',
  beam: 'draw lines from it{} across everything',
  horn: 'draw lines from its corners{}',
  'bar-colours': 'draw a line{} as long as its number of colours',
};
const readers: Readonly<Record<string, string>> = {
  held: 'in the colour of the object inside it',
  near: 'in the colour of the nearest object',
};

export function treatment(text: string): string {
  return treatmentParts(text)
    .map((part) => {
      const { name, colour } = parsed(part);
      const [verb = '', to] = name.split(' ');
      const where = to === undefined ? '' : ` ${sideWords[to] ?? to}`;
      const ink = colour === null ? '' : ` ${readers[colour] ?? `in colour ${colour}`}`;
      return definite(verbs[verb]).replace('{}', where) + ink;
    })
    .join(' and ');
}

const anchors: Readonly<Record<string, string>> = {
  any: 'nearest object',
  kin: 'nearest larger object of its colour',
  same: 'nearest object of its colour',
  other: 'nearest object of another colour',
  largest: 'largest object',
  smallest: 'smallest object',
};

export function action(text: string): string {
  const [verb = '', to = '', more] = text.split(' ');
  const anchor = `the ${anchors[to] ?? `nearest object of colour ${to}`}`;
  switch (verb) {
    case 'stay':
      return 'leave it';
    case 'drop':
      return 'remove it';
    case 'slide':
      return `slide it ${sideWords[to] ?? to} until something is in the way`;
    case 'own':
      return `move it ${sideWords[to] ?? to} by its own size`;
    case 'by':
      return `move it ${[...steps(Number(to), 'right', 'left'), ...steps(Number(more), 'down', 'up')].join(' and ')}`;
    case 'touch':
      return `move it straight to ${anchor} until they touch`;
    case 'fetch':
      return `move it straight to ${anchor} until they touch, or remove it if there is none`;
    case 'onto':
      return `centre it on ${anchor}`;
    case 'fit':
      return `fit it into ${anchor}`;
    default:
      return `move it into the ${verb} of ${anchor}`;
  }
}

function steps(count: number, ahead: string, back: string): string[] {
  return count === 0 ? [] : [`${Math.abs(count)} ${count < 0 ? back : ahead}`];
}

export function leaving(leave: string): string {
  const [what, colour] = leave.split(' ');
  if (what === 'nothing') return '';
  return `, leaving ${what === 'self' ? 'a copy' : 'a trail'}${colour === undefined ? '' : ` in colour ${colour}`}`;
}
