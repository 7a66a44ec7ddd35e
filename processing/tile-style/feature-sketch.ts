import type { GeometryBuffer, GeometryPart } from '@platen/formats/feature/geometry-buffer';
import { writePng } from '@platen/formats/png/write-png';
import type { Picture } from '@platen/geo/canvas/picture';
import type { TileGeometry } from '@platen/geo/mvt/read-tile';
import { gridX, gridY, worldSize } from '@platen/geo/tile/world-grid';
import { paintTiles } from './draw-thumbnail.ts';
import { placeWorld } from './placed-tiles.ts';
import { shapeTypes } from '../features/shape-types.ts';
import type { Bounds } from './thumbnail-view.ts';

/** Remembers as much of the features that pass by as a small picture of them needs. */
export interface FeatureSketch {
  /** Takes finite longitudes and latitudes. */
  add(geometry: GeometryBuffer): void;
  /** @returns a PNG of 600 × 400 pixels */
  draw(layerName: string, bounds: Bounds): Uint8Array;
  /** The same picture, not encoded. */
  paint(layerName: string, bounds: Bounds): Picture;
}

/** Limit for all features together; beyond it, every second feature is dropped, repeatedly. */
const maxPositions = 1_000_000;
/** Limit for a line or ring; a picture of this size cannot show more. */
const maxPerRing = 5000;

export function createFeatureSketch(): FeatureSketch {
  let kept: TileGeometry[] = [];
  let positions = 0;
  let stride = 1;
  let seen = 0;

  const thinOut = (): void => {
    kept = kept.filter((_, i) => i % 2 === 0);
    positions = kept.reduce((sum, { positionCount }) => sum + positionCount, 0);
    stride *= 2;
  };

  const paint = (layerName: string, bounds: Bounds): Picture => {
    const layer = {
      name: layerName,
      extent: worldSize,
      visitGeometries(visit: (geometry: TileGeometry) => void) {
        for (const one of kept) visit(one);
      },
    };
    return paintTiles(placeWorld(layer, bounds), [layerName]);
  };

  return {
    add(geometry) {
      for (const part of geometry.parts) {
        if (seen++ % stride !== 0) continue;
        const sketch = sketchOf(geometry, part);
        kept.push(sketch);
        positions += sketch.positionCount;
        if (positions > maxPositions) thinOut();
      }
    },
    draw(layerName, bounds) {
      const { rgba, width, height } = paint(layerName, bounds);
      return writePng(rgba, width, height);
    },
    paint,
  };
}

function sketchOf(geometry: GeometryBuffer, { type, polygonStart, polygonEnd }: GeometryPart): TileGeometry {
  const { coordinates, ringEnds, polygonEnds } = geometry;
  const firstRing = polygonStart === 0 ? 0 : polygonEnds[polygonStart - 1]!;
  const sketched: number[] = [];
  const partEnds: number[] = [];
  for (let ring = firstRing; ring < (polygonEnds[polygonEnd - 1] ?? firstRing); ring++) {
    const start = ring === 0 ? 0 : ringEnds[ring - 1]!;
    const end = ringEnds[ring]!;
    const step = Math.ceil((end - start) / maxPerRing);
    for (let position = start; position < end; position += step) {
      sketched.push(gridX(coordinates[position * 2]!), gridY(coordinates[position * 2 + 1]!));
    }
    if (sketched.length / 2 > (partEnds.at(-1) ?? 0)) partEnds.push(sketched.length / 2);
  }
  const inRange = sketched.map((value) => Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), value)));
  return {
    type: shapeTypes[type],
    coordinates: Int32Array.from(inRange),
    positionCount: sketched.length / 2,
    partEnds,
  };
}
