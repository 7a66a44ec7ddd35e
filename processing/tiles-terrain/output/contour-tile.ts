import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { createContourPieces } from '@platen/geo/terrain/contour-pieces';
import { contourExtent, createContourTiler } from '@platen/geo/terrain/contour-tile';
import { blockCounts, type BlockPlace } from '@platen/geo/terrain/height-grid';
import { createInt32Buffer, reserveSpace } from '@platen/geo/shape/int32-buffer';
import { JobFailure } from '../../job-type.ts';
import { createTilePacker } from '../../kit/pack-tile.ts';
import type { PyramidShape } from '../../raster-source/zoom-layers.ts';
import type { FinalCells } from '../pyramid/final-cells.ts';
import { highestZoomOf } from '../pyramid/pyramid-shape.ts';
import type { Settings } from '../settings.ts';
import { contourStep } from './contour-layer.ts';
import type { MakeTile } from './made-tile.ts';

/** Cells around a tile: as wide as lines are drawn at most, and half a cell that the first one begins within. */
const margin = 4;
/** Parts of a tile that lines are simplified by. */
const tolerance = 1 / 2048;
const maxPieces = 2_000_000;
const cacheBytes = 1 << 20;
/** Units on a side of a tile, of which joined lines are made: 1/256 of a cell. */
export const joinedExtent = 1 << 16;
const equator = 2 * Math.PI * 6_378_137;

/** Makes vector tiles of contour lines. */
export function createContourTileMaker(cells: FinalCells, settings: Settings, shape: PyramidShape): MakeTile {
  const { grid } = shape;
  const { interval } = settings;
  const pack = createTilePacker(cacheBytes);
  const makeContours = createContourTiler({
    side: grid.side,
    margin,
    interval,
    tolerance: tolerance * contourExtent,
    maxPieces,
  });
  const highestZoom = highestZoomOf({ shape, settings });
  return ({ place }) => {
    const { z, x, y } = place;
    const cellMetres = equator / (blockCounts(grid, z)[0] * grid.side);
    const step = contourStep(z, { highestZoom, interval, cellMetres });
    const tile = makeContours(cells.filled(place, margin), place, step);
    if (tile === 'tooMany') throw tooManyPieces(interval, place);
    return Promise.resolve(
      tile && { z, tileId: tileIdOf(z, x, y), packed: pack(tile.bytes), contours: tile.features },
    );
  };
}

/** Makes lines that are joined in the end: of each piece its level, the number of its words, and positions. */
export function createContourPieceMaker(
  cells: FinalCells,
  settings: Settings,
  { grid }: PyramidShape,
): MakeTile {
  const { interval } = settings;
  const trace = createContourPieces({
    side: grid.side,
    margin,
    interval,
    extent: joinedExtent,
    tolerance: tolerance * joinedExtent,
    maxPieces,
  });
  return ({ place }) => {
    const { z, x, y } = place;
    const store = createInt32Buffer(1 << 12);
    const isTraced = trace(cells.filled(place, margin), 1, (level, xy, count) => {
      reserveSpace(store, 2 + count * 2);
      store.words[store.length++] = level;
      store.words[store.length++] = count * 2;
      for (let i = 0; i < count * 2; i++) store.words[store.length++] = xy[i]!;
    });
    if (!isTraced) throw tooManyPieces(interval, place);
    const packed = { bytes: store.bytes.subarray(0, store.length * 4), hashA: 0, hashB: 0 };
    return Promise.resolve(store.length === 0 ? undefined : { z, tileId: tileIdOf(z, x, y), packed });
  };
}

/** The pieces of such a tile. */
export function* piecesOf(bytes: Uint8Array): Generator<{ readonly level: number; readonly xy: Int32Array }> {
  const words = new Int32Array(new Uint8Array(bytes).buffer); // copied, so that words are aligned
  for (let at = 0; at < words.length;) {
    const [level, length] = [words[at]!, words[at + 1]!];
    yield { level, xy: words.subarray(at + 2, at + 2 + length) };
    at += 2 + length;
  }
}

function tooManyPieces(interval: number, { z, x, y }: BlockPlace): JobFailure {
  return new JobFailure(
    'tooLarge',
    `With contour lines every ${interval} m, tile ${z}/${x}/${y} would have more than ${maxPieces} pieces of lines. Use a larger output.interval.`,
  );
}
