import { beginGeometry, createCommandWriter, writeLine } from '../mvt/command-writer.ts';
import { appendRecordHead } from '../mvt/record-head.ts';
import { createTileEncoder } from '../mvt/tile-encoder.ts';
import { createInt32Buffer } from '../shape/int32-buffer.ts';
import { lineType } from '../shape/shape.ts';
import { createContourPieces, type ContourPiecesOptions } from './contour-pieces.ts';
import type { BlockPlace } from './height-grid.ts';

export const contourExtent = 4096;
export const contourLayer = 'contours';
/** Every fifth line is an index contour, which maps draw thicker and label. */
export const indexEvery = 5;

export type ContourTileOptions = Omit<ContourPiecesOptions, 'extent'>;

export interface ContourTile {
  /** Mapbox Vector Tile 2.1, valid until the next tile. */
  readonly bytes: Uint8Array;
  readonly features: readonly ContourFeature[];
}

/** The attributes of all lines of a height. */
export interface ContourFeature {
  /** Metres. */
  readonly elevation: number;
  readonly isIndex: boolean;
}

const neverTooLarge = 2 ** 30;

/**
 * Makes vector tiles of contour lines: a feature for each height.
 * @returns undefined for a tile without lines, 'tooMany' if it would have more than `maxPieces` pieces
 */
export function createContourTiler(
  options: ContourTileOptions,
): (cells: Float32Array, place: BlockPlace, step: number) => ContourTile | 'tooMany' | undefined {
  const encoder = createTileEncoder({
    extent: contourExtent,
    buffer: 0,
    maxZoom: 0,
    dustLength: 0,
    dustArea: 0,
    repair: false,
    layers: [contourLayer],
    keys: ['elevation', 'isIndex'],
    maxTileBytes: neverTooLarge,
  });
  const commands = createCommandWriter();
  const trace = createContourPieces({ ...options, extent: contourExtent });
  return (cells, { z, x, y }, step) => {
    const store = createInt32Buffer(1 << 10);
    const features: ContourFeature[] = [];
    let open: number | undefined;
    const endLevel = (): void => {
      if (open === undefined || commands.length === 0) return;
      const feature = contourFeature(open, options.interval);
      store.length = 0;
      const attributes = [[0, feature.elevation] as const, [1, feature.isIndex] as const];
      encoder.write(store, appendRecordHead(store, { type: lineType, layer: 0, attributes }), commands);
      features.push(feature);
    };
    encoder.begin(z, x, y);
    const isTraced = trace(cells, step, (level, xy, count) => {
      if (level !== open) {
        endLevel();
        beginGeometry(commands);
        open = level;
      }
      writeLine(commands, xy, count);
    });
    if (!isTraced) return 'tooMany';
    endLevel();
    const bytes = encoder.finish();
    return bytes && { bytes, features };
  };
}

/** @param level the height is this many times the interval */
export function contourFeature(level: number, interval: number): ContourFeature {
  // without the digits that multiplying by an interval such as 0.1 leaves
  return { elevation: Math.round(level * interval * 1e6) / 1e6, isIndex: level % indexEvery === 0 };
}
