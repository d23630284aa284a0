import { describe, expect, it } from 'vitest';
import type { Image } from '../../../src/arc/language/image.ts';
import { bind, isList, type Arguments, type RuleOperation } from '../../../src/arc/language/operation.ts';
import { families, operations } from '../../../src/arc/language/registry.ts';
import { digits, picture } from '../arbitrary.ts';

type Example = readonly [
  name: string,
  args: Arguments,
  input: readonly string[],
  wanted: readonly string[] | null,
  frame?: readonly string[],
];

function treating(feature: string): Arguments {
  return { objects: 'blob', features: [feature], on: 'empty' };
}

function moving(feature: string): Arguments {
  return { objects: 'blob', features: [feature], leave: 'nothing' };
}

/** Examples of each family; the images of a list are separated by `/`. */
const examples: Readonly<Record<string, readonly Example[]>> = {
  colour: [
    ['filter', { colour: 2 }, ['120', '212'], ['020', '202']],
    ['erase', { colour: 2 }, ['120', '212'], ['100', '010']],
    ['paint', { colour: 7 }, ['120', '002'], ['770', '007']],
    ['paint_by', { by: 'main' }, ['122', '003'], ['222', '002']],
    ['empty_as', { colour: 4 }, ['30', '03'], ['04', '40']],
    ['reverse_colours', { by: 'place' }, ['112', '100'], ['221', '200']],
    ['reverse_colours', { by: 'place' }, ['1123', '1000'], ['3321', '3000']],
    ['reverse_colours', { by: 'count' }, ['2113', '1020'], ['2331', '3020']],
    ['reverse_colours', { by: 'place' }, ['111', '100'], null],
    ['recolour', { table: { 1: '5' } }, ['12'], ['52']],
  ],
  crop: [
    ['crop', {}, ['0000', '0120', '0030'], ['12', '03']],
    ['squeeze', {}, ['102', '000', '304'], ['12', '34']],
    ['dedupe', {}, ['1122', '1122', '3344'], ['12', '34']],
    ['half', { side: 'right' }, ['12345'], ['45']],
    ['third', { side: 'middle-column' }, ['112233'], ['22']],
    ['origin', {}, ['12'], ['12']],
  ],
  shape: [
    ['hull', {}, ['100', '010'], ['111', '111']],
    ['outline', { colour: 3 }, ['000', '010', '000'], ['333', '303', '333']],
    ['outline', { colour: 0 }, ['000', '020', '000'], ['222', '202', '222']],
    ['ring', { colour: 0 }, ['2'], ['222', '222', '222']],
    ['ring', { colour: 1 }, ['2'], ['111', '121', '111']],
  ],
  motion: [
    ['move', { motion: 'rotate90' }, ['12', '30'], ['31', '02']],
    ['mirror_on', { side: 'right' }, ['12'], ['1221']],
    ['mirror_on', { side: 'above' }, ['1', '2'], ['2', '1', '1', '2']],
    ['enlarge', { by: '2' }, ['12'], ['1122', '1122']],
    ['enlarge', { by: 'colours' }, ['12'], ['1122', '1122']],
    ['shrink', {}, ['1122', '1122'], ['12']],
  ],
  split: [
    ['cut', { by: 'piece' }, ['101', '120'], ['1', '1', '/', '1', '/', '2']],
    ['cut_on_main', {}, ['88888', '81828', '88888'], ['1', '/', '2']],
    ['by_colour', {}, ['12'], ['10', '/', '02']],
    ['panels', {}, ['153', '254'], ['1', '2', '/', '3', '4']],
    ['parts', { way: 'halves-across' }, ['1234'], ['12', '/', '34']],
    ['marked', { marks: 'without' }, ['303', '010', '303'], ['1']],
    ['marked', { marks: 'with' }, ['303', '010', '303'], ['303', '010', '303']],
    ['framed_parts', {}, ['00000', '02220', '02120', '02220', '00000'], ['1']],
  ],
  pick: [
    ['pick', { by: 'cells' }, ['1', '/', '12', '/', '3'], ['12']],
    ['pick', { by: '-cells' }, ['12', '/', '3'], ['3']],
    ['rest', { by: 'cells' }, ['1', '/', '12', '/', '3'], ['1', '/', '3']],
  ],
  members: [
    [
      'choose',
      { features: ['most-cells'], table: { 0: 'leave', 1: 'take' } },
      ['1', '/', '12', '/', '3'],
      ['12'],
    ],
    [
      'choose',
      { features: ['only-main', 'width'], table: { '1,1': 'take' } },
      ['1', '/', '22', '/', '1', '/', '3'],
      ['3'],
    ],
    ['choose', { features: ['width'], table: { 3: 'take' } }, ['1', '/', '12'], null],
    [
      'tabulate',
      { features: ['holes'], table: { 0: '@main', 1: '5' }, layout: 'row' },
      ['222', '/', '333', '303', '333', '/', '4'],
      ['254'],
    ],
    [
      'tabulate',
      { features: ['width'], table: { 1: '7', 2: '@rare' }, layout: 'column' },
      ['1', '/', '22'],
      ['7', '2'],
    ],
    ['tabulate', { features: ['width'], table: { 1: '7' }, layout: 'row' }, ['1', '/', '22'], null],
  ],
  compose: [
    ['line_up', { way: 'across' }, ['1', '/', '2'], ['12']],
    ['line_up', { way: 'down' }, ['12', '/', '3'], null],
    ['line_up', { way: 'down-left' }, ['12', '/', '3'], ['12', '30']],
    ['line_up', { way: 'down-right' }, ['12', '/', '3'], ['12', '03']],
    ['line_up', { way: 'across-top' }, ['1', '2', '/', '3'], ['13', '20']],
    ['line_up', { way: 'across-bottom' }, ['1', '2', '/', '3'], ['10', '23']],
    ['compose', {}, ['120', '/', '003'], ['123']],
    ['overlay', { order: 'earlier-on-top' }, ['10', '/', '22'], ['12']],
    ['combine', { logic: 'and' }, ['110', '/', '202'], ['100']],
    ['combine', { logic: 'xor' }, ['110', '/', '202'], ['012']],
  ],
  arrange: [
    ['pack', {}, ['11', '10', '/', '02', '22'], null, ['000']],
    ['pack', {}, ['02', '22', '/', '11', '10'], ['112', '122'], ['000', '000']],
    ['align', { colour: 5 }, ['15', '/', '52', '/', '5', '3'], ['152', '030']],
    ['align', { colour: 5 }, ['55', '/', '5'], null],
    [
      'meet',
      {},
      ['01', '11', '/', '22', '20', '/', '30', '33', '/', '44', '04'],
      ['2244', '2004', '3001', '3311'],
    ],
    ['meet', {}, ['01', '11', '/', '02', '22', '/', '30', '33', '/', '44', '04'], null],
    ['meet', {}, ['01', '11', '/', '22', '20', '/', '30', '33'], null],
    ['inside_each', {}, ['12', '/', '80', '88'], ['1020', '1122']],
    ['inside_each', {}, ['80', '88', '/', '12'], ['1020', '1122']],
    [
      'fit_inside',
      {},
      ['23', '/', '111111', '100001', '100001', '111111'],
      ['111111', '122331', '122331', '111111'],
    ],
    [
      'fit_inside',
      {},
      ['11111', '10001', '10001', '11111', '/', '20', '02'],
      ['11111', '12001', '10201', '11111'],
    ],
    ['fit_inside', {}, ['111', '101', '111', '/', '20', '02'], null],
    ['fit_inside', {}, ['111', '111', '/', '2'], null],
  ],
  framed: [
    ['embed', {}, ['12'], ['120', '000'], ['000', '000']],
    ['broadcast', {}, ['12'], ['1122'], ['0000']],
    ['repeat', { gap: 0 }, ['12'], ['12121'], ['00000']],
    ['repeat', { gap: 1 }, ['12'], ['12012'], ['00000']],
    ['mirror', { gap: 0 }, ['12'], ['12211'], ['00000']],
    ['continue', {}, ['1212'], ['121212'], ['000000']],
    ['continue', {}, ['12'], null, ['0000']],
    ['into_panels', {}, ['12'], ['11522', '11522'], ['00500', '30500']],
    ['into_panels', {}, ['123'], null, ['00500', '30500']],
  ],
  walk: [
    [
      'walk',
      { colour: 1, way: 'down-right', meeting: 'rebound', gap: 0, paint: 0 },
      ['1002', '0002', '0002', '0002'],
      ['1000', '0100', '0010', '0100'],
    ],
    [
      'walk',
      { colour: 1, way: 'right', meeting: 'stop', gap: 0, paint: 0 },
      ['1002', '0000'],
      ['1110', '0000'],
    ],
    [
      'walk',
      { colour: 1, way: 'right', meeting: 'turn-right', gap: 0, paint: 0 },
      ['1020', '0000', '0000'],
      ['1100', '0100', '0100'],
    ],
    [
      'walk',
      { colour: 1, way: 'up', meeting: 'pass-right', gap: 0, paint: 0 },
      ['0000', '0200', '0000', '0100'],
      ['0010', '0010', '0110', '0100'],
    ],
    [
      'walk',
      { colour: 1, way: 'line', meeting: 'rebound', gap: 0, paint: 3 },
      ['00002', '01002', '00102', '00002', '00002'],
      ['30000', '01000', '00100', '00030', '00300'],
    ],
    ['walk', { colour: 1, way: 'line', meeting: 'stop', gap: 0, paint: 0 }, ['1100', '1000', '0001'], null],
    [
      'walk',
      { colour: 1, way: 'down-right', meeting: 'bounce-across', gap: 0, paint: 0 },
      ['01', '00', '00', '00'],
      ['01', '10', '01', '10'],
    ],
    [
      'walk',
      { colour: 1, way: 'up-right', meeting: 'bounce-upright', gap: 0, paint: 0 },
      ['0000', '1000', '0000'],
      ['0100', '1010', '0001'],
    ],
  ],
  extend: [
    ['extend', { side: 'right' }, ['120000'], ['121212']],
    ['extend', { side: 'right' }, ['1020000'], ['1020102']],
    ['extend', { side: 'left' }, ['00012'], ['21212']],
    ['extend', { side: 'up' }, ['12'], null],
  ],
  overlap: [
    [
      'symmetrise',
      { by: 'across', about: 'overlap', cover: 'named', mask: 3 },
      ['12021', '12300'],
      ['12021', '12021'],
    ],
    ['symmetrise', { by: 'across', about: 'overlap', cover: 'named', mask: 4 }, ['12021', '12300'], null],
    [
      'symmetrise',
      { by: 'both', about: 'core', cover: 'named', mask: 0 },
      ['20000', '02200', '00100', '00000', '00000'],
      ['20002', '02220', '00100', '02220', '20002'],
    ],
    ['symmetrise', { by: 'both', about: 'core', cover: 'named', mask: 0 }, ['110', '000'], null],
    [
      'symmetrise',
      { by: 'across', about: 'overlap', cover: 'block', mask: 0 },
      ['10301', '12021', '44221', '44301'],
      ['10301', '12021', '12221', '10301'],
    ],
  ],
  smear: [
    ['smear', { way: 'right' }, ['100', '020'], ['111', '022']],
    ['smear', { way: 'up' }, ['00', '01'], ['01', '01']],
    ['connect', { way: 'across' }, ['1001', '1002'], ['1111', '1002']],
  ],
  gravity: [
    ['fall', { to: 'down' }, ['12', '00'], ['00', '12']],
    ['attract', { colour: 5 }, ['1000', '0000', '5555'], ['0000', '1000', '5555']],
  ],
  count: [
    ['count', { what: 'colours', form: 'row' }, ['112', '003'], ['111']],
    ['count', { what: 'cells', form: 'column' }, ['20', '02'], ['2', '2']],
    ['bars', { way: 'columns', counting: 'cells' }, ['221', '200'], ['21', '20', '20']],
    ['bars', { way: 'rows', counting: 'cells' }, ['221', '200'], ['222', '100']],
    ['bars', { way: 'rows', counting: 'objects' }, ['22010', '00001', '01000'], ['11', '20']],
    ['count', { what: 'excess', form: 'row' }, ['22010', '00002', '02000'], ['222']],
  ],
  complete: [
    ['complete', { by: 'across' }, ['100', '101'], ['101', '101']],
    ['complete', { by: 'other-diagonal' }, ['120', '030', '001'], ['120', '032', '001']],
    ['level', { way: 'rows' }, ['112', '300'], ['111', '333']],
    ['level', { way: 'columns' }, ['12', '13', '42'], ['12', '12', '12']],
    ['level', { way: 'either' }, ['1122', '1322', '1122'], ['1122', '1122', '1122']],
    ['level', { way: 'either' }, ['1112', '3333', '2222'], ['1111', '3333', '2222']],
  ],
  panel: [['summary', { by: 'main' }, ['153', '053'], ['13']]],
  repair: [
    [
      'repair',
      { by: 'symmetry', mask: 9 },
      ['1221', '3443', '3493', '1221'],
      ['1221', '3443', '3443', '1221'],
    ],
    [
      'repair',
      { by: 'period', mask: 9 },
      ['121212', '343494', '121212', '343434'],
      ['121212', '343434', '121212', '343434'],
    ],
    ['patch', { by: 'symmetry', mask: 9 }, ['1221', '3443', '3493', '1221'], ['4']],
    ['repair', { by: 'symmetry', mask: 9 }, ['123', '453', '942'], null],
    [
      'repair',
      { by: 'symmetry', mask: 9 },
      ['1234', '5673', '8792', '7851'],
      ['1234', '5673', '8762', '7851'],
    ],
    ['repair', { by: 'symmetry', mask: 9 }, ['12'], null],
  ],
  stamp: [
    [
      'stamp',
      { turned: 'none', original: 'kept', marks: 'part' },
      ['12000', '34012', '00000', '40000'],
      ['12000', '34012', '00034', '40000'],
    ],
    ['stamp', { turned: 'none', original: 'kept', marks: 'part' }, ['1210', '0000', '1000'], null],
    [
      'stamp',
      { turned: 'none', original: 'kept', marks: 'off-main' },
      ['2100000', '1100020', '0000000'],
      ['2100000', '1100021', '0000011'],
    ],
    [
      'stamp',
      { turned: 'any', original: 'dropped', marks: 'off-main' },
      ['2130000', '0100002', '0000000', '0000003'],
      ['0000000', '0000002', '0000011', '0000003'],
    ],
    ['stamp', { turned: 'none', original: 'kept', marks: 'off-main' }, ['1100', '0002'], null],
    [
      'stamp',
      { turned: 'enlarged', original: 'kept', marks: 'off-main' },
      ['211000', '000000', '022000', '022000'],
      ['211000', '000000', '022111', '022111'],
    ],
  ],
  paste: [['paste', { marks: 3 }, ['120030'], ['120120']]],
  cells: [
    [
      'cells',
      { features: ['self', 'hole-4'], table: { '0,1': '4' }, else: 'keep', rounds: 1 },
      ['111', '101', '111'],
      ['111', '141', '111'],
    ],
    [
      'cells',
      {
        features: ['self'],
        table: { '0': '@see-west', '1': '@self', '2': '@self' },
        else: 'keep',
        rounds: 1,
      },
      ['1002'],
      ['1112'],
    ],
    ['cells', { features: ['self'], table: {}, else: 'fail', rounds: 1 }, ['1'], null],
    [
      'cells_of_list',
      { table: { '1,2': '7', '0,2': '@1' }, keys: 2, else: 'keep' },
      ['100', '/', '220'],
      ['720'],
    ],
  ],
  moves: [
    [
      'move_objects',
      { ...moving('self'), table: { 2: 'fit any' } },
      ['1111000', '1001002', '1110022', '0000000', '2200000'],
      ['1111000', '1221002', '1110022', '0000000', '0000000'],
    ],
    [
      'move_objects',
      { ...moving('self'), table: { 2: 'fit 1' } },
      ['1110000', '0100000', '0000000', '0002020', '0002220'],
      ['1110000', '2120000', '2220000', '0000000', '0000000'],
    ],
    [
      'move_objects',
      { ...moving('self'), table: { 1: 'by 3 0' }, leave: 'trail 4' },
      ['1000', '1020'],
      ['4441', '4441'],
    ],
    [
      'move_objects',
      { ...moving('self'), table: { 1: 'by 2 0' }, leave: 'self 4' },
      ['1000', '1020'],
      ['4010', '4010'],
    ],
    [
      'move_objects',
      { ...moving('any'), table: { 0: 'slide down' } },
      ['110', '020', '000'],
      ['000', '110', '020'],
    ],
    ['move_objects', { ...moving('self'), table: { 1: 'touch 5' } }, ['1005', '2005'], ['0015', '2005']],
    [
      'move_objects',
      { ...moving('self'), table: { 1: 'fetch 5' } },
      ['1005', '0000', '1000'],
      ['0015', '0000', '0000'],
    ],
    [
      'move_objects',
      { ...moving('self'), table: { 1: 'row 2' } },
      ['100', '002', '000'],
      ['000', '102', '000'],
    ],
    [
      'move_objects',
      { ...moving('self'), table: { 1: 'column 2' } },
      ['100', '002', '000'],
      ['001', '002', '000'],
    ],
    ['move_objects', { ...moving('any'), table: { 0: 'own right' } }, ['1100', '1100'], ['0011', '0011']],
    ['move_objects', { ...moving('any'), table: { 0: 'by 3 0' } }, ['1000'], ['0001']],
    [
      'move_objects',
      { ...moving('self'), table: { 1: 'by 1 1', 2: 'drop' } },
      ['100', '002'],
      ['000', '010'],
    ],
    ['move_objects', { ...moving('any'), table: { 0: 'by 3 0' }, leave: 'trail' }, ['1000'], ['1111']],
    ['move_objects', { ...moving('any'), table: { 0: 'by 3 0' }, leave: 'self' }, ['1000'], ['1001']],
  ],
  tiles: [
    [
      'tile',
      { across: 2, down: 1, features: ['column-odd'], table: { 0: 'identity', 1: 'flip-left-right' } },
      ['120', '003'],
      ['120021', '003300'],
    ],
    [
      'tile',
      { across: 0, down: 0, features: ['filled'], table: { 0: 'empty', 1: 'identity' } },
      ['10', '12'],
      ['1000', '1200', '1010', '1212'],
    ],
  ],
  treatments: [
    [
      'treat_objects',
      { ...treating('self'), table: { 1: 'ray star 4' } },
      ['0000', '0100', '0200'],
      ['4440', '4144', '4240'],
    ],
    [
      'treat_objects',
      { ...treating('any'), table: { 0: 'fill held' } },
      ['1111', '1201', '1001', '1111'],
      ['1111', '1221', '1221', '1111'],
    ],
    [
      'treat_objects',
      { ...treating('self'), table: { 1: 'ray right near' } },
      ['1000', '3000'],
      ['1333', '3000'],
    ],
    ['treat_objects', { ...treating('any'), table: { 0: 'ray right' } }, ['1000', '0203'], ['1111', '0223']],
    [
      'treat_objects',
      { ...treating('any'), table: { 0: 'beam up' }, on: 'all' },
      ['3', '0', '2'],
      ['2', '2', '2'],
    ],
    [
      'treat_objects',
      { ...treating('any'), table: { 0: 'fill 4' } },
      ['111', '101', '111'],
      ['111', '141', '111'],
    ],
    [
      'treat_objects',
      { ...treating('any'), table: { 0: 'ring 3' } },
      ['000', '010', '000'],
      ['333', '313', '333'],
    ],
    [
      'treat_objects',
      { ...treating('self'), table: { 1: 'core 0', 2: 'drop' }, on: 'all' },
      ['1112', '1110', '1110'],
      ['1110', '1010', '1110'],
    ],
  ],
  frames: [
    ['sides', {}, ['123', '456'], ['000', '000']],
    ['size', { width: 2, height: 1 }, ['1'], ['00']],
    ['size_of', { times_width: 2, times_height: 1, plus_width: 1, plus_height: 0 }, ['12'], ['00000']],
    ['stack', {}, ['10', '/', '22'], ['12'], ['00']],
  ],
  views: [
    ['roles', { keep: [], by: 'count', ground: 'black' }, ['3330', '0005'], ['1110', '0002']],
    ['unroles', { keep: [1, 2], by: 'count', ground: 'black' }, ['12'], ['12']],
    ['orient', { by: 'wide' }, ['1', '2'], ['12']],
    ['unorient', { by: 'wide' }, ['1', '2'], ['12']],
    ['walls', {}, ['152', '053'], ['102', '003']],
    ['walls', {}, ['102', '003'], ['102', '003']],
    ['unwalls', {}, ['152', '053'], ['152', '053']],
  ],
};

describe('the operations of the rule language', () => {
  it('have at least one example each', () => {
    const shown = new Set(Object.values(examples).flatMap((list) => list.map(([name]) => name)));
    expect([...operations.keys()].filter((name) => !shown.has(name))).toEqual([]);
    expect(Object.keys(examples).sort()).toEqual(Object.keys(families).sort());
  });

  for (const [family, list] of Object.entries(examples)) {
    for (const [name, args, input, wanted, frame] of list) {
      it(`${family}: ${name} ${JSON.stringify(args)} of ${input.join(' ')}`, () => {
        const operation = operations.get(name) as RuleOperation;
        const images = parse(input);
        const value = operation.takes === 'list' ? images : (images[0] as Image);
        const scene = { input: images[0] as Image, frame: frame === undefined ? null : picture(...frame) };
        const result = bind(operation, args)(value, scene);
        expect(result === null ? null : print(isList(result) ? result : [result])).toEqual(wanted);
      });
    }
  }

  it('repeat: an image tiles from its place on the input, in a frame of another size from the corner', () => {
    const repeat = bind(operations.get('repeat') as RuleOperation, { gap: 0 });
    const part = { ...picture('12'), x: 1 };
    const input = picture('0120');
    expect(digits(repeat(part, { input, frame: picture('0000') }) as Image)).toEqual(['2121']);
    expect(digits(repeat(part, { input, frame: picture('000000') }) as Image)).toEqual(['121212']);
  });
});

function parse(lines: readonly string[]): Image[] {
  const groups: string[][] = [[]];
  for (const line of lines) {
    if (line === '/') groups.push([]);
    else groups.at(-1)?.push(line);
  }
  return groups.map((rows) => picture(...rows));
}

function print(images: readonly Image[]): string[] {
  return images.flatMap((one, i) => (i === 0 ? digits(one) : ['/', ...digits(one)]));
}
