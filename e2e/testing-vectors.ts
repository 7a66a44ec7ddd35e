import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFeature } from '@platen/formats/feature/feature';
import { pushPosition } from '@platen/formats/feature/geometry-buffer';
import { createFlatGeobufWriter } from '@platen/formats/flatgeobuf/write-flatgeobuf';
import type { Point } from './testing-archives.ts';
import type { Bounds } from './testing-pictures.ts';

export function squareAround({ lon, lat }: Point): Bounds {
  return [lon - 0.02, lat - 0.012, lon + 0.02, lat + 0.012];
}

const ringOf = ([west, south, east, north]: Bounds) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
export const polygon = (bounds: Bounds) => ({
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ringOf(bounds)] } },
  ],
});
export const extent = (coordinates: Bounds) => ({ type: 'Extent', coordinates, projection: { epsg: 4326 } });

/** A square, or a point. */
export async function flatGeobuf(place: Bounds | [[number, number]], name: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-layers-'));
  try {
    const isPoint = place.length === 1;
    const { geometry } = createFeature();
    for (const [x, y] of isPoint ? place : ringOf(place)) pushPosition(geometry, x!, y!);
    geometry.ringEnds.push(geometry.positionCount);
    geometry.polygonEnds.push(1);
    geometry.parts.push({ type: isPoint ? 'Point' : 'Polygon', polygonStart: 0, polygonEnd: 1 });
    const writer = createFlatGeobufWriter({ scratchFolder: folder, name });
    writer.add({ geometry, properties: { name, time: '2026-05-01T12:00:00Z' } });
    await writer.finish(join(folder, 'out.fgb'));
    return readFileSync(join(folder, 'out.fgb'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
