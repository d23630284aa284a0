import { definite } from '../../core/errors.ts';
import type { Arguments } from '../language/operation.ts';
import type { ProgramStep } from '../language/program.ts';
import { operations } from '../language/registry.ts';
import { casesIn, changesIn, colourPhrase, joinedByCommas } from './cases.ts';
import { action, criterion, leaving, motion, sideWords, tile, treatment } from './words.ts';

/** Steps of a rule in English. */

type Phrase = (args: Arguments) => string;

/** Steps that need more than their summary with the arguments in place. */
const phrases: Readonly<Record<string, Phrase>> = {
  cut: (args) => `take each object (${objectsIn(args)}) as an image`,
  pick: (args) => `take the image ${criterion(said(args, 'by'))}`,
  rest: (args) => `leave out the image ${criterion(said(args, 'by'))}`,
  choose: (args) =>
    `take the first image ${casesIn(args, 'image', (_, where) => where, ['leave'])
      .replaceAll(/(^|or )its /g, '$1whose ')
      .replaceAll(/(^|or )it /g, '$1that ')}`,
  tabulate: (args) =>
    `make one cell for each image${layouts[said(args, 'layout')]}: ${casesIn(args, 'image', colourPhrase)}`,
  recolour: (args) =>
    `change ${joinedByCommas(changesIn(args).map(([from, to]) => `colour ${from} to ${to}`)) || 'no colour'}`,
  cells: (args) => `give each cell ${casesIn(args, 'cell', colourPhrase, ['@self'])}`,
  cells_of_list: (args) => `compare the images cell by cell: ${casesIn(args, 'cell', colourPhrase)}`,
  move_objects: (args) =>
    `for each object (${objectsIn(args)}), ${casesIn(args, 'object', inCase(action), ['stay'])}${leaving(said(args, 'leave'))}`,
  treat_objects: (args) =>
    `for each object (${objectsIn(args)}), ${casesIn(args, 'object', inCase(treatment), ['keep'])}${said(args, 'on') === 'empty' ? ', on empty cells only' : ''}`,
  tile: (args) =>
    `lay copies of the image side by side, ${copiesIn(args)}${tiled(casesIn(args, 'copy', (answer, where) => tile(answer) + (where === '' ? '' : ` where ${where}`), ['identity']))}`,
  move: (args) => motion(said(args, 'motion')).replace(/^(\w+)/, '$1 the image'),
  mirror_on: (args) => `add the mirror image ${sideWords[said(args, 'side')] ?? said(args, 'side')}`,
  enlarge: (args) =>
    said(args, 'by') === 'colours'
      ? 'enlarge the image by its number of colours'
      : `enlarge the image ${said(args, 'by')} times`,
  paint_by: (args) =>
    `paint every filled cell in the ${said(args, 'by') === 'main' ? 'main' : 'rarest'} colour`,
  reverse_colours: (args) =>
    `order the colours by ${said(args, 'by') === 'count' ? 'frequency' : 'place'} and swap the first with the last, the second with the last but one, and so on`,
  outline: (args) => `keep only the empty cells around filled ones, ${ink(args, 'colour')}`,
  ring: (args) => `draw a frame around the image ${ink(args, 'colour')}`,
  parts: (args) => `cut the image into equal ${partWays[said(args, 'way')] ?? 'parts'}`,
  marked: (args) =>
    `take the rectangles whose corners are marked in one colour, ${said(args, 'marks')} their corners`,
  overlay: (args) =>
    `lay the images over each other, the ${said(args, 'order') === 'later-on-top' ? 'last' : 'first'} on top`,
  line_up: (args) =>
    `put the images ${said(args, 'way').startsWith('across') ? 'side by side' : 'one below the other'}`,
  combine: (args) =>
    `keep the cells that are filled in ${said(args, 'logic') === 'and' ? 'every image' : 'only one image'}`,
  repeat: (args) => `tile the frame with the image${gap(args)}`,
  mirror: (args) => `tile the frame with the image and its mirror images in turn${gap(args)}`,
  walk: (args) =>
    `draw a path from each cell of colour ${said(args, 'colour')} ${said(args, 'way') === 'line' ? 'along its line' : way(args)}${meetings[said(args, 'meeting')] ?? ''}${gap(args)}${said(args, 'paint') === '0' ? '' : `, ${ink(args, 'paint')}`}`,
  count: (args) =>
    `draw a ${said(args, 'form')} as long as the number of ${counts[said(args, 'what')] ?? said(args, 'what')}`,
  bars: (args) =>
    `draw one ${said(args, 'way') === 'columns' ? 'column' : 'row'} for each colour, as long as its number of ${said(args, 'counting')}, the longest first`,
  complete: (args) => `make the picture symmetric ${symmetries[said(args, 'by')] ?? ''}`,
  symmetrise: (args) =>
    `make the picture symmetric ${symmetries[said(args, 'by')] ?? ''} about ${said(args, 'about') === 'core' ? 'its core' : 'the centre that fits best'}${without(args)}`,
  repair: (args) =>
    `fill ${masked(args)} so that the ${said(args, 'by') === 'period' ? 'pattern repeats' : 'picture is symmetric'}`,
  patch: (args) =>
    `work out what ${masked(args)} would show if the ${said(args, 'by') === 'period' ? 'pattern repeated' : 'picture were symmetric'}, and take that part`,
  stamp: (args) =>
    `complete each unfinished copy of the pattern${turnings[said(args, 'turned')] ?? ''}, recognised by ${marks[said(args, 'marks')] ?? 'its marks'}${said(args, 'original') === 'kept' ? '' : ', and remove the original'}`,
  fall: (args) => `let the filled cells fall ${sideWords[said(args, 'to')] ?? said(args, 'to')}`,
  paste: (args) =>
    `copy the most colourful object onto every ${said(args, 'marks') === '0' ? 'other object' : `object of colour ${said(args, 'marks')}`}`,
  extend: (args) =>
    `continue the pattern ${sideWords[said(args, 'side')] ?? said(args, 'side')} by its smallest period`,
  size: (args) => `make an empty frame of ${said(args, 'width')} by ${said(args, 'height')} cells`,
  size_of: (args) => `make an empty frame of ${times(args, 'width')} by ${times(args, 'height')} cells`,
  sides: () => 'make an empty frame as wide as the first image and as high as the last',
  compose: () => 'put the images back in their places',
  stack: ({ of }) =>
    Array.isArray(of) && of.length > 1
      ? 'lay the images at their places on an empty frame, the first on top'
      : 'put the image at its place on an empty frame',
  smear: (args) => `extend every colour ${way(args)} over empty cells`,
  connect: (args) => `join cells of one colour ${way(args)} across empty cells`,
  orient: (args) =>
    /^(rotate|flip|transpose)/.test(said(args, 'by'))
      ? definite(phrases['move'])({ motion: said(args, 'by') })
      : `turn the image so that its ${said(args, 'by') === 'wide' ? 'longer side is horizontal' : 'heavier side is in a fixed place'}`,
  roles: (args) => `replace colours by their rank (${ranks[said(args, 'by')]})`,
};

/** An action in the case that a table names. */
function inCase(actionOf: (answer: string) => string): (answer: string, where: string) => string {
  return (answer, where) => (where === '' ? '' : `if ${where}, `) + actionOf(answer);
}

/** A step as a phrase without subject: "take the image with the most colours". */
export function phraseOf({ op, args }: ProgramStep): string {
  const { summary } = definite(operations.get(op));
  return phrases[op]?.(args) ?? summary.replaceAll(/\{(\w+)\}/g, (_, name: string) => said(args, name));
}

function said(args: Arguments, name: string): string {
  const value = args[name];
  return Array.isArray(value) ? value.join(' and ') : `${definite(value) as string | number}`;
}

const kinds: Readonly<Record<string, string>> = {
  blob: 'touching cells of one colour',
  object: 'touching cells',
  piece: 'cells of one colour joined at their sides',
  block: 'cells joined at their sides',
  cluster: 'cells of one colour at most two steps apart',
  group: 'cells at most two steps apart',
  colour: 'all cells of one colour',
};
const objectsIn: Phrase = (args) => {
  const kind = said(args, args['by'] === undefined ? 'objects' : 'by');
  return kinds[kind] ?? kind;
};

const partWays: Readonly<Record<string, string>> = {
  squares: 'squares',
  'halves-across': 'halves, left and right',
  'halves-down': 'halves, top and bottom',
  quarters: 'quarters',
  thirds: 'thirds',
};

const meetings: Readonly<Record<string, string>> = {
  'turn-right': ', turning right at obstacles',
  'turn-left': ', turning left at obstacles',
  'pass-right': ', passing obstacles on the right',
  'pass-left': ', passing obstacles on the left',
  'bounce-across': ', bouncing off the sides',
  'bounce-upright': ', bouncing off the top and bottom',
  rebound: ', bouncing off obstacles',
};

const counts: Readonly<Record<string, string>> = {
  'objects-4': 'objects joined at their sides',
  'objects-8': 'objects',
  'large-objects': 'objects with more than one cell',
  excess: 'cells by which the main colour outnumbers the next',
};

const symmetries: Readonly<Record<string, string>> = {
  across: 'left to right',
  upright: 'top to bottom',
  both: 'in both directions',
  diagonal: 'along the main diagonal',
  'other-diagonal': 'along the other diagonal',
  turns: 'under rotation',
};

const turnings: Readonly<Record<string, string>> = {
  any: ', rotated or mirrored as needed',
  enlarged: ', enlarged as needed',
};

const marks: Readonly<Record<string, string>> = {
  'off-main': 'the cells outside its main colour',
  main: 'the cells of its main colour',
  each: 'the cells of one of its colours',
  part: 'a part of it',
};

/** Colour 0 of an argument stands for a colour of the image itself. */
function ink(args: Arguments, name: string): string {
  return said(args, name) === '0' ? 'in its own colour' : `in colour ${said(args, name)}`;
}

const gap: Phrase = (args) => (said(args, 'gap') === '0' ? '' : `, with gaps of ${said(args, 'gap')}`);

const masked: Phrase = (args) =>
  said(args, 'mask') === '0' ? 'the empty cells' : `the cells of colour ${said(args, 'mask')}`;

const without: Phrase = (args) => {
  if (said(args, 'cover') === 'block') return ', without the rectangle that covers it';
  return said(args, 'mask') === '0' ? '' : `, without colour ${said(args, 'mask')}`;
};

function times(args: Arguments, side: string): string {
  const [count, more] = [said(args, `times_${side}`), Number(said(args, `plus_${side}`))];
  const extra = more === 0 ? '' : ` ${more > 0 ? '+' : '−'} ${Math.abs(more)}`;
  return `${count === '1' ? '' : `${count} × `}${side}${extra}`;
}

const layouts: Readonly<Record<string, string>> = {
  row: ', in a row',
  column: ', in a column',
  places: ', placed like the images',
};

const ranks: Readonly<Record<string, string>> = {
  count: 'most frequent first',
  rare: 'rarest first',
  first: 'first seen first',
  solid: 'most compact first',
};

const way: Phrase = (args) => sideWords[said(args, 'way')] ?? said(args, 'way');

const copiesIn: Phrase = (args) =>
  said(args, 'across') === '0' ? 'one per cell' : `${said(args, 'across')} by ${said(args, 'down')}`;

function tiled(cases: string): string {
  return cases === '' ? '' : `; ${cases}`;
}
