import { arrangeOperations } from './arrange.ts';
import { cellOperations } from './cells.ts';
import { colourOperations } from './colour.ts';
import { completeOperations } from './complete.ts';
import { composeOperations } from './compose.ts';
import { countOperations } from './count.ts';
import { cropOperations } from './crop.ts';
import { framedOperations } from './framed.ts';
import { frameOperations } from './frames.ts';
import { gravityOperations } from './gravity.ts';
import { memberOperations } from './members.ts';
import { motionOperations } from './motion.ts';
import { moveOperations } from './moves.ts';
import { type RuleOperation, bind, onlyImage, type Value, type Arguments } from './operation.ts';
import { panelOperations } from './panel.ts';
import { pasteOperations } from './paste.ts';
import { pickOperations } from './pick.ts';
import { repairOperations } from './repair.ts';
import { shapeOperations } from './shape.ts';
import { extendOperations } from './extend.ts';
import { overlapOperations } from './overlap.ts';
import { smearOperations } from './smear.ts';
import { splitOperations } from './split.ts';
import { stampOperations } from './stamp.ts';
import { tileOperations } from './tiles.ts';
import { treatOperations } from './treat.ts';
import { viewOperations } from './views.ts';
import { walkOperations } from './walk.ts';
import { definite } from '../../core/errors.ts';
import type { Image } from './image.ts';

/** The families of the rule language, in the order in which the search tries them. */
export const families: Readonly<Record<string, readonly RuleOperation[]>> = {
  colour: colourOperations,
  crop: cropOperations,
  shape: shapeOperations,
  motion: motionOperations,
  split: splitOperations,
  pick: pickOperations,
  members: memberOperations,
  compose: composeOperations,
  arrange: arrangeOperations,
  framed: framedOperations,
  smear: smearOperations,
  walk: walkOperations,
  gravity: gravityOperations,
  count: countOperations,
  complete: completeOperations,
  panel: panelOperations,
  repair: repairOperations,
  stamp: stampOperations,
  paste: pasteOperations,
  overlap: overlapOperations,
  extend: extendOperations,
  cells: cellOperations,
  moves: moveOperations,
  treatments: treatOperations,
  tiles: tileOperations,
  frames: frameOperations,
  views: viewOperations,
};

export const operations: ReadonlyMap<string, RuleOperation> = new Map(
  Object.values(families)
    .flat()
    .map((operation) => [operation.name, operation]),
);

/** A named operation without a frame. */
function unframed(op: string, args: Arguments): (value: Value, input: Image) => Value | null {
  const apply = bind(definite(operations.get(op)), args);
  return (value, input) => apply(value, { input, frame: null });
}

/** A named operation that returns an image; null if it does not apply. */
export function makingImage(op: string, args: Arguments): (value: Value, input: Image) => Image | null {
  const apply = unframed(op, args);
  return (value, input) => {
    const made = apply(value, input);
    return made === null ? null : onlyImage(made);
  };
}
