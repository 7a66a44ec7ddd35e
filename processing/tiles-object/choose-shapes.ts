import type { JobContext } from '../job-type.ts';
import type { ReadModelAnswer } from './tasks.ts';
import { readShape } from './shape/read-shapes.ts';
import { countOf, shapeAt, type IndexedShape } from './shape/shape-index.ts';

/** Farther from the middle half of all than this many times its size, a place is an error. */
const outlierTimes = 20;
/** Degrees: a small model may have something beside it. */
const leastSpread = 0.02;

/**
 * The shapes of all models, in the order of the inputs: of several with one id the last, and none that is far away from
 * all others.
 */
export function chooseShapes(read: readonly ReadModelAnswer[], context: JobContext): IndexedShape[] {
  const byId = new Map<number, IndexedShape>();
  for (const { table } of read) {
    for (let row = 0; row < countOf(table); row++) {
      const shape = shapeAt(table, row);
      const known = byId.get(shape.idHash);
      if (known !== undefined && known.contentHash !== shape.contentHash) warnOfRepeated(shape, context);
      byId.set(shape.idHash, shape);
    }
  }
  return withoutOutliers([...byId.values()], context);
}

function warnOfRepeated({ range }: IndexedShape, { warn }: JobContext): void {
  warn('repeatedIds', 'Several objects have the same id: only the last of them is shown.', {
    id: readShape(range).id,
  });
}

function withoutOutliers(shapes: IndexedShape[], { warn }: JobContext): IndexedShape[] {
  if (shapes.length < 10) return shapes;
  const spanOf = (axis: 'lon' | 'lat'): readonly [low: number, high: number] => {
    const sorted = Float64Array.from(shapes, (shape) => shape[axis]).sort();
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
    const [low, high] = [at(0.1), at(0.9)];
    const spread = Math.max(high - low, leastSpread) * outlierTimes;
    return [low - spread, high + spread];
  };
  const [lon, lat] = [spanOf('lon'), spanOf('lat')];
  return shapes.filter((shape) => {
    if (shape.lon >= lon[0] && shape.lon <= lon[1] && shape.lat >= lat[0] && shape.lat <= lat[1]) return true;
    warn(
      'farAwayObjects',
      'Objects far away from all others are left out: their coordinates are probably wrong.',
      {
        id: readShape(shape.range).id,
        position: [shape.lon, shape.lat],
      },
    );
    return false;
  });
}
