import type { Box, Path, Placement } from '@platen/geo/canvas/canvas';
import type { ShapeType } from '@platen/geo/shape/shape';
import type { ValueOf } from '@platen/styles/drawn-style';
import type { Ink, Painter } from './style-painter.ts';

/** A geometry at its place in the picture. */
export interface PlacedFeature extends Placement {
  readonly type: ShapeType;
  readonly path: Path;
  /** Units along the edge of its tile; the outline of areas is not drawn there. */
  readonly extent: number;
  /** The area of its tile in the picture. */
  readonly clip: Box;
}

/** Features of one layer that are drawn with the same ink. */
export interface InkedFeatures {
  readonly ink: Ink;
  readonly features: PlacedFeature[];
}

/** Adds a feature; its coordinates are copied. @returns false if no more are taken */
export type AddFeature = (feature: PlacedFeature, positionCount: number, value: ValueOf) => boolean;

export interface PaintedFeatures {
  readonly add: AddFeature;
  readonly fills: ReadonlyMap<string, InkedFeatures>;
  readonly strokes: ReadonlyMap<string, InkedFeatures>;
  readonly points: ReadonlyMap<string, InkedFeatures>;
}

/** 32 MB of coordinates: more than a picture can show. */
const maxPositions = 4_000_000;
/** 50 MB of objects. */
const maxFeatures = 200_000;

/** Collects the features of a layer by the ink that its style gives them. */
export function collectFeatures(painter: Painter): PaintedFeatures {
  const [fills, strokes, points] = [new Map(), new Map(), new Map()] as Map<string, InkedFeatures>[];
  let left = { positions: maxPositions, features: maxFeatures };
  const put = (into: Map<string, InkedFeatures>, ink: Ink | undefined, feature: PlacedFeature): void => {
    if (ink === undefined) return;
    const key = JSON.stringify(ink);
    const same = into.get(key);
    if (same) same.features.push(feature);
    else into.set(key, { ink, features: [feature] });
  };
  return {
    add(feature, positionCount, value) {
      const paint = painter(feature.type, value);
      if (paint === undefined) return true;
      left = { positions: left.positions - positionCount, features: left.features - 1 };
      if (left.positions < 0 || left.features < 0) return false;
      const { coordinates, partEnds } = feature.path;
      const kept: PlacedFeature = {
        ...feature,
        path: {
          coordinates: Float64Array.from({ length: positionCount * 2 }, (_, at) => coordinates[at]!),
          partEnds: [...partEnds],
        },
      };
      put(fills!, paint.fill, kept);
      put(strokes!, paint.stroke, kept);
      put(points!, paint.point, kept);
      return true;
    },
    fills: fills!,
    strokes: strokes!,
    points: points!,
  };
}
