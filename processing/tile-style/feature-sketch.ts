import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import { writePng } from '@platen/formats/png/write-png';
import type { Picture } from '@platen/geo/canvas/picture';
import { worldSize } from '@platen/geo/tile/world-grid';
import { paintTiles } from './draw-thumbnail.ts';
import { placeWorld } from './placed-tiles.ts';
import { createSketchRecords, type SketchRecords } from './sketch-records.ts';
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

/** 16 MB; beyond the limit, the largest sketch drops every second feature, repeatedly. */
const defaultMaxWords = 1 << 22;

/** Sketches of layers. */
export interface FeatureSketches {
  /** Returns the sketch of a layer and creates it on the first call. */
  of(layerName: string): FeatureSketch;
}

/** Sketches that share one limit. @param maxWords of all together */
export function createFeatureSketches(maxWords = defaultMaxWords): FeatureSketches {
  const sketches = new Map<string, ThinnableSketch>();
  let words = 0;
  const onGrow = (added: number): void => {
    words += added;
    if (words <= maxWords) return;
    const largest = [...sketches.values()].reduce((a, b) => (b.words() > a.words() ? b : a));
    words -= largest.thinOut();
  };
  return {
    of(layerName) {
      let sketch = sketches.get(layerName);
      if (sketch === undefined) sketches.set(layerName, (sketch = createThinnableSketch(onGrow)));
      return sketch;
    },
  };
}

/** 128 kB. */
const maxWordsPerLayer = 1 << 15;

/** Sketches with a limit each, so that none depends on the other layers. */
export function createSeparateSketches(): FeatureSketches {
  const sketches = new Map<string, FeatureSketch>();
  return {
    of(layerName) {
      let sketch = sketches.get(layerName);
      if (sketch === undefined)
        sketches.set(layerName, (sketch = createFeatureSketches(maxWordsPerLayer).of(layerName)));
      return sketch;
    },
  };
}

export const createFeatureSketch = (): FeatureSketch => createFeatureSketches().of('');

interface ThinnableSketch extends FeatureSketch {
  /** Its size. */
  words(): number;
  /** Drops every second feature. @returns the number of words dropped */
  thinOut(): number;
}

function createThinnableSketch(onGrow: (words: number) => void): ThinnableSketch {
  const records: SketchRecords = createSketchRecords();
  let stride = 1;
  let seen = 0;

  const paint = (layerName: string, bounds: Bounds): Picture => {
    const layer = { name: layerName, extent: worldSize, visitGeometries: records.visit };
    return paintTiles(placeWorld(layer, bounds), [layerName]);
  };

  return {
    add(geometry) {
      for (const part of geometry.parts) if (seen++ % stride === 0) onGrow(records.append(geometry, part));
    },
    draw(layerName, bounds) {
      const { rgba, width, height } = paint(layerName, bounds);
      return writePng(rgba, width, height);
    },
    paint,
    words: records.length,
    thinOut() {
      stride *= 2;
      return records.dropEverySecond();
    },
  };
}
