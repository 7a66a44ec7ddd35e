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

/** Limit for all sketches together; beyond it, the largest drops every second feature, repeatedly. */
const maxPositions = 1_000_000;
/** Limit for a line or ring; a picture of this size cannot show more. */
const maxPerRing = 5000;

/** Sketches that share one limit. */
export interface FeatureSketches {
  /** Returns the sketch of a layer and creates it on the first call. */
  of(layerName: string): FeatureSketch;
}

export function createFeatureSketches(): FeatureSketches {
  const sketches = new Map<string, ThinnableSketch>();
  let positions = 0;
  const onGrow = (added: number): void => {
    positions += added;
    if (positions <= maxPositions) return;
    const largest = [...sketches.values()].reduce((a, b) => (b.positions() > a.positions() ? b : a));
    positions -= largest.thinOut();
  };
  return {
    of(layerName) {
      let sketch = sketches.get(layerName);
      if (sketch === undefined) sketches.set(layerName, (sketch = createThinnableSketch(onGrow)));
      return sketch;
    },
  };
}

export const createFeatureSketch = (): FeatureSketch => createFeatureSketches().of('');

interface ThinnableSketch extends FeatureSketch {
  positions(): number;
  /** Drops every second feature. @returns the number of positions dropped */
  thinOut(): number;
}

function createThinnableSketch(onGrow: (positions: number) => void): ThinnableSketch {
  let kept: TileGeometry[] = [];
  let positions = 0;
  let stride = 1;
  let seen = 0;

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
        onGrow(sketch.positionCount);
      }
    },
    draw(layerName, bounds) {
      const { rgba, width, height } = paint(layerName, bounds);
      return writePng(rgba, width, height);
    },
    paint,
    positions: () => positions,
    thinOut() {
      const before = positions;
      kept = kept.filter((_, i) => i % 2 === 0);
      positions = kept.reduce((sum, { positionCount }) => sum + positionCount, 0);
      stride *= 2;
      return before - positions;
    },
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
