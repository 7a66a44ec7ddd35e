import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { createContourTiler } from '@platen/geo/terrain/contour-tile';
import { blockCounts } from '@platen/geo/terrain/height-grid';
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
/** Units of a tile of 4096. */
const tolerance = 2;
const maxPieces = 2_000_000;
const cacheBytes = 1 << 20;
const equator = 2 * Math.PI * 6_378_137;

/** Makes vector tiles of contour lines. */
export function createContourTileMaker(cells: FinalCells, settings: Settings, shape: PyramidShape): MakeTile {
  const { grid } = shape;
  const { interval } = settings;
  const pack = createTilePacker(cacheBytes);
  const makeContours = createContourTiler({ side: grid.side, margin, interval, tolerance, maxPieces });
  const highestZoom = highestZoomOf({ shape, settings });
  return ({ place }) => {
    const { z, x, y } = place;
    const cellMetres = equator / (blockCounts(grid, z)[0] * grid.side);
    const step = contourStep(z, { highestZoom, interval, cellMetres });
    const tile = makeContours(cells.filled(place, margin), place, step);
    if (tile === 'tooMany')
      throw new JobFailure(
        'tooLarge',
        `With contour lines every ${interval} m, tile ${z}/${x}/${y} would have more than ${maxPieces} pieces of lines. Use a larger output.interval.`,
      );
    return Promise.resolve(
      tile && { z, tileId: tileIdOf(z, x, y), packed: pack(tile.bytes), contours: tile.features },
    );
  };
}
