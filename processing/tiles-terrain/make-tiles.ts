import { blockCounts, type BlockPlace } from '@platen/geo/terrain/height-grid';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { addLayers, type Layers } from '../features/layers.ts';
import type { JobContext } from '../job-type.ts';
import { expectAnswer } from '../kit/expect-answer.ts';
import type { MadeTiles } from '../kit/merge-tiles.ts';
import { runAll } from '../kit/run-all.ts';
import type { UnitTiles } from '../kit/tile-log.ts';
import type { WorkerPool } from '../kit/worker-pool.ts';
import type { Pyramid } from './build-pyramid.ts';
import type { TerrainCheckpoint } from './checkpoint.ts';
import { archiveZoomOf, inArchiveOrder } from '../raster-source/archive-order.ts';
import type { TileSet } from './pyramid/tile-set.ts';
import { keyOf, layersOf, unitOf, type PyramidShape, type ZoomLayer } from '../raster-source/zoom-layers.ts';
import type { Answer, Task, TileOrder, UnitRanges } from './tasks.ts';

export interface TilesRun {
  readonly shape: PyramidShape;
  readonly pool: WorkerPool<Task, Answer>;
  readonly checkpoint: TerrainCheckpoint;
  readonly context: Pick<JobContext, 'progress'>;
  readonly pyramid: Pyramid;
  readonly tileSet: TileSet;
  readonly metadataOf: (place: BlockPlace) => object | undefined;
}

/** Makes all tiles, unit by unit. */
export async function makeTiles(
  run: TilesRun,
): Promise<{ readonly tiles: MadeTiles; readonly lines: Layers }> {
  const { shape, pool, checkpoint, context, tileSet } = run;
  const made = new Map<string, MadeUnitTiles>(
    checkpoint.units.flatMap((one) => (one.kind === 'tiles' ? [[one.key, one] as const] : [])),
  );
  let done = 0;
  const units = layersOf(shape).flatMap((layer) => unitsOf(run, layer).map((unit) => ({ unit, layer })));
  for (const { tiles } of made.values()) done += countOf(tiles);
  context.progress('make', done, tileSet.count);
  const open = units.filter(({ unit }) => !made.has(keyOf(unit)));
  await runAll(
    pool,
    (function* () {
      for (const { unit, layer } of open) yield taskOf(run, unit, layer);
    })(),
    (answer, number) => {
      const { tiles, lines } = expectAnswer(answer, 'tiles');
      const key = keyOf(open[number]!.unit);
      checkpoint.append({ kind: 'tiles', key, tiles, lines });
      made.set(key, { tiles, lines });
      done += countOf(tiles);
      context.progress('make', done, tileSet.count);
    },
  );
  // each zoom belongs to one layer, in which the units follow each other along the Hilbert curve
  const all = units.map(({ unit }) => made.get(keyOf(unit))!);
  const lines: Layers = new Map();
  for (const one of all) addLayers(lines, one.lines);
  return { tiles: { leaves: all.map(({ tiles }) => tiles), tops: [] }, lines };
}

interface MadeUnitTiles {
  readonly tiles: UnitTiles;
  readonly lines: Layers;
}

function countOf(tiles: UnitTiles): number {
  return tiles.reduce((sum, zoom) => sum + (zoom?.tiles ?? 0), 0);
}

/** The units of a layer that have tiles. */
function unitsOf({ shape, tileSet }: TilesRun, layer: ZoomLayer): BlockPlace[] {
  const units = new Map<string, BlockPlace>();
  for (let z = layer.rootZoom; z <= layer.bottomZoom; z++) {
    const scale = 2 ** (z - layer.rootZoom);
    for (const [y, runs] of tileSet.zooms[z] ?? []) {
      for (const [from, to] of runs) {
        for (let x = Math.floor(from / scale); x <= Math.floor(to / scale); x++) {
          const unit = { z: layer.rootZoom, x, y: Math.floor(y / scale) };
          units.set(keyOf(unit), unit);
        }
      }
    }
  }
  return inArchiveOrder([...units.values()], shape.grid, (unit) => unit);
}

function taskOf(run: TilesRun, unit: BlockPlace, layer: ZoomLayer): Task {
  const { shape, tileSet, metadataOf } = run;
  const tiles: TileOrder[] = [];
  for (let z = layer.rootZoom; z <= layer.bottomZoom; z++) {
    const scale = 2 ** (z - layer.rootZoom);
    const places: BlockPlace[] = [];
    for (let y = unit.y * scale; y < (unit.y + 1) * scale; y++)
      for (const [from, to] of tileSet.zooms[z]?.get(y) ?? [])
        for (let x = Math.max(from, unit.x * scale); x <= Math.min(to, (unit.x + 1) * scale - 1); x++)
          places.push({ z, x, y });
    const archiveZoom = archiveZoomOf(shape.grid, z);
    const keyed = places.map((place) => ({ place, id: tileIdOf(archiveZoom, place.x, place.y) }));
    for (const { place } of keyed.toSorted((a, b) => a.id - b.id)) {
      const metadata = metadataOf(place);
      tiles.push({ place, ...(metadata !== undefined && { metadata }) });
    }
  }
  return { kind: 'tiles', tiles, units: rangesAround(run, unit, layer) };
}

/**
 * Units that a tile may depend on: its window reaches into the block beside it, whose holes are filled from the block beside
 * that one, and from the zooms above, where the same holds again.
 */
const reach = 2;
const reachAbove = 4;

function rangesAround({ shape, pyramid }: TilesRun, unit: BlockPlace, own: ZoomLayer): UnitRanges {
  const ranges: UnitRanges[number][] = [];
  let place = unit;
  for (const layer of layersOf(shape)) {
    if (layer.rootZoom > own.rootZoom) continue;
    if (layer !== own && layer.rootZoom !== own.rootZoom) {
      const up = place.z - layer.bottomZoom;
      place = unitOf({ z: layer.bottomZoom, x: place.x >> up, y: place.y >> up }, layer);
    }
    const distance = layer.rootZoom === own.rootZoom ? reach : reachAbove;
    const columns = blockCounts(shape.grid, layer.rootZoom)[0];
    for (let y = place.y - distance; y <= place.y + distance; y++) {
      for (let x = place.x - distance; x <= place.x + distance; x++) {
        const key = keyOf({ z: layer.rootZoom, x: ((x % columns) + columns) % columns, y });
        const range = pyramid.units.get(key)?.range;
        if (range !== undefined) ranges.push([key, range]);
      }
    }
  }
  return ranges;
}
