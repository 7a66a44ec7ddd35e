import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createByteWriter, reserveBytes } from '@platen/geo/mvt/byte-writer';
import type { Feature } from '../feature/feature.ts';
import { writeGeometry } from './write-geometry.ts';

export interface GeoJsonWriterOptions {
  /** One feature per line and nothing around them, instead of one FeatureCollection. */
  readonly isNewlineDelimited: boolean;
  /** Decimals of coordinates, from 0 to 9; 7 are a centimetre. */
  readonly decimals: number;
}

export interface WrittenFeatures {
  readonly featureCount: number;
  /** West, south, east, north; undefined where no feature has a position. */
  readonly bbox: readonly [number, number, number, number] | undefined;
}

export interface GeoJsonWriter {
  /**
   * Takes longitudes and latitudes, all of them finite and below 10^9. @returns false, and writes nothing, without a
   * geometry
   */
  add(feature: Pick<Feature, 'id' | 'properties' | 'geometry'>): boolean;
  /** Gives the file its name: before that it does not exist under it. */
  finish(): WrittenFeatures;
  /** Removes what has been written so far, instead of `finish`. */
  discard(): void;
}

/** Little, as many layers are written at the same time. */
const flushBytes = 1 << 16;

/** Writes GeoJSON (RFC 7946), feature by feature: a collection also has its `bbox`, at its end. */
export function createGeoJsonWriter(path: string, options: GeoJsonWriterOptions): GeoJsonWriter {
  const { isNewlineDelimited, decimals } = options;
  const unfinished = join(dirname(path), `.${basename(path)}.unfinished`);
  const file = openSync(unfinished, 'w');
  const out = createByteWriter(1 << 16);
  const encoder = new TextEncoder();
  const bbox: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  let featureCount = 0;

  const append = (text: string): void => {
    reserveBytes(out, text.length * 3); // no character takes more
    out.length += encoder.encodeInto(text, out.bytes.subarray(out.length)).written;
  };
  const flush = (): void => {
    for (let at = 0; at < out.length;) at += writeSync(file, out.bytes, at, out.length - at);
    out.length = 0;
  };
  const grow = ({ coordinates, positionCount }: Feature['geometry']): void => {
    for (let at = 0; at < positionCount * 2; at += 2) {
      const x = coordinates[at]!;
      const y = coordinates[at + 1]!;
      if (x < bbox[0]) bbox[0] = x;
      if (y < bbox[1]) bbox[1] = y;
      if (x > bbox[2]) bbox[2] = x;
      if (y > bbox[3]) bbox[3] = y;
    }
  };

  if (!isNewlineDelimited) append('{"type":"FeatureCollection","features":[');
  return {
    add({ id, properties, geometry }) {
      const start = out.length;
      if (!isNewlineDelimited) append(featureCount === 0 ? '\n' : ',\n');
      append(`{"type":"Feature",${id === undefined ? '' : `"id":${JSON.stringify(id)},`}"properties":`);
      append(JSON.stringify(properties));
      append(',"geometry":');
      if (!writeGeometry(out, geometry, decimals)) {
        out.length = start;
        return false;
      }
      append(isNewlineDelimited ? '}\n' : '}');
      grow(geometry);
      featureCount++;
      if (out.length >= flushBytes) flush();
      return true;
    },
    finish() {
      const hasBox = bbox[0] <= bbox[2];
      const rounded = bbox.map((value) => Math.round(value * 10 ** decimals) / 10 ** decimals);
      if (!isNewlineDelimited) append(`\n]${hasBox ? `,"bbox":${JSON.stringify(rounded)}` : ''}}\n`);
      flush();
      closeSync(file);
      renameSync(unfinished, path);
      return { featureCount, bbox: hasBox ? bbox : undefined };
    },
    discard() {
      closeSync(file);
      rmSync(unfinished, { force: true });
    },
  };
}
