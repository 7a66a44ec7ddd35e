import type { FileRange } from '../../kit/scratch-file.ts';
import { openShapeFile } from '../shape/shape-file.ts';
import { readShapes } from '../shape/read-shapes.ts';
import type { Shape } from '../shape/shape.ts';

/** Shapes in a scratch file until the terrain beneath them is known, for which readers of models cannot wait. */
export interface WaitingShapes {
  /** @param shapes those that belong together */
  readonly add: (shapes: readonly Shape[]) => void;
  /** In the order in which they came. @param isOne whether all shapes belong together */
  readonly groups: (isOne: boolean) => Generator<Shape[], void>;
  readonly close: () => void;
}

export function openWaitingShapes(path: string): WaitingShapes {
  const file = openShapeFile(path);
  const groups: FileRange[][] = [];
  return {
    add(shapes) {
      if (shapes.length > 0) groups.push(shapes.map((shape) => file.append(file.pack(shape))));
    },
    *groups(isOne) {
      file.flush();
      if (isOne) yield readShapes(groups.flat());
      else for (const ranges of groups) yield readShapes(ranges);
    },
    close: () => file.close(),
  };
}
