import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { sizeInTile, sum, type Vertices } from './testing-clipping.ts';
import { tilesOf } from './testing-tiling.ts';

/**
 * The visible content of a tileset at one zoom, without buffers. Lengths and areas are in tile units of that zoom.
 */
export interface ZoomSummary {
  readonly features: number;
  readonly points: number;
  readonly length: number;
  readonly area: number;
}

export interface TilesetSummary {
  /** Summaries by zoom. */
  readonly zooms: readonly ZoomSummary[];
  /** Summaries at the highest zoom by class of polygons. */
  readonly classes: Readonly<Record<string, ClassSummary>>;
}

export interface ClassSummary {
  readonly area: number;
  /** The standard deviation of the area that the rounding of every vertex to whole units makes, twice. */
  readonly rounding: number;
}

/** Identifies features by id; every feature must have one. */
export function summarise(archive: Buffer): TilesetSummary {
  const zooms: { ids: Set<number>; points: number; length: number; area: number }[] = [];
  const classes = new Map<string, { area: number; variance: number }>();
  let highest = 0;
  for (const { z, bytes } of tilesOf(archive)) {
    if (z > highest) {
      highest = z;
      classes.clear();
    }
    const total = (zooms[z] ??= { ids: new Set(), points: 0, length: 0, area: 0 });
    for (const layer of Object.values(new VectorTile(new PbfReader(bytes)).layers)) {
      for (let i = 0; i < layer.length; i++) {
        const feature = layer.feature(i);
        const { area, length, points, isInside } = sizeInTile(feature);
        if (!isInside) continue;
        total.ids.add(feature.id!);
        total.points += points;
        total.length += length;
        total.area += area;
        if (area === 0 || z < highest) continue;
        const name = classOf(feature.properties);
        const ofClass = classes.get(name) ?? { area: 0, variance: 0 };
        classes.set(name, ofClass);
        ofClass.area += area;
        ofClass.variance += sum(feature.loadGeometry(), roundingVariance);
      }
    }
  }
  return {
    zooms: Array.from(zooms, ({ ids, points, length, area }) => ({
      features: ids.size,
      points,
      length: Math.round(length),
      area: Math.round(area),
    })),
    classes: Object.fromEntries(
      [...classes]
        .toSorted(([, one], [, other]) => other.area - one.area)
        .map(([name, { area, variance }]) => [
          name,
          { area: Math.round(area), rounding: Math.round(Math.sqrt(variance)) },
        ]),
    ),
  };
}

/** Class by the kind of land, or simply a building. */
function classOf(properties: Readonly<Record<string, unknown>>): string {
  if ('building' in properties) return 'building';
  const key = ['landuse', 'natural', 'leisure', 'boundary', 'tint'].find((name) => name in properties);
  return key === undefined ? 'other' : `${key}=${String(properties[key])}`;
}

/**
 * Variance of the area of a ring rounded by two programs: a vertex moved by (dx, dy) changes it by half the cross
 * product with the chord between its neighbours, and dx, dy are uniform over one unit (variance 1/12).
 */
function roundingVariance(ring: Vertices): number {
  return sum(ring.keys(), (i) => {
    const before = ring[(i + ring.length - 1) % ring.length]!;
    const after = ring[(i + 1) % ring.length]!;
    return ((after.x - before.x) ** 2 + (after.y - before.y) ** 2) / 24;
  });
}
