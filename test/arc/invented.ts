import type { Grid } from '../../src/arc/grid/grid.ts';
import type { Task } from '../../src/arc/grid/task.ts';
import { pic } from './arbitrary.ts';

/** Small tasks made up for the tests, each solved by one part of the search. */
function task(id: string, pairs: readonly (readonly [Grid, Grid])[], test: readonly [Grid, Grid]): Task {
  return {
    id,
    train: pairs.map(([input, output]) => ({ input, output })),
    test: [test[0]],
    answers: [test[1]],
  };
}

export const invented: readonly Task[] = [
  task(
    'flip',
    [
      [pic('120', '003'), pic('021', '300')],
      [pic('400', '450', '000'), pic('004', '054', '000')],
    ],
    [pic('0670', '8000'), pic('0760', '0008')],
  ),
  task(
    'largest',
    [
      [pic('11000', '11000', '00020'), pic('11', '11')],
      [pic('30000', '00444', '00444'), pic('444', '444')],
    ],
    [pic('550000', '000777', '000707'), pic('777', '707')],
  ),
  task(
    'holes',
    [
      [pic('22200', '20200', '22200'), pic('22200', '24200', '22200')],
      [pic('0000', '2222', '2002', '2222'), pic('0000', '2222', '2442', '2222')],
    ],
    [pic('022220', '020020', '020020', '022220'), pic('022220', '024420', '024420', '022220')],
  ),
  task(
    'panels-and',
    [
      [pic('1105011', '0105110'), pic('020', '020')],
      [pic('1015100', '1115011'), pic('200', '022')],
      [pic('0015001', '1105100'), pic('002', '200')],
    ],
    [pic('1115010', '0015011'), pic('020', '002')],
  ),
  task(
    'row-of-anchor',
    [
      [pic('22000', '22011', '00011', '00000'), pic('00000', '22011', '22011', '00000')],
      [pic('00000', '11000', '11030', '00030'), pic('00000', '11030', '11030', '00000')],
      [pic('00440', '00440', '11000', '11000'), pic('00000', '00000', '11440', '11440')],
    ],
    [
      pic('0302200', '0302200', '0000000', '0000011', '0000011'),
      pic('0000000', '0000000', '0000000', '0302211', '0302211'),
    ],
  ),
  task(
    'roles',
    [
      [pic('4000', '0044', '0300'), pic('0000', '0000', '0300')],
      [pic('0606', '6000', '0008'), pic('0000', '0000', '0008')],
    ],
    [pic('5050', '0005', '2000'), pic('0000', '0000', '2000')],
  ),
];

export function inventedTask(id: string): Task {
  return invented.find((one) => one.id === id) as Task;
}
