import { JobFailure, type JobContext, type JobResult } from '../job-type.ts';
import { maxFolderFiles } from '../kit/folder-sink.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { mergeWarnings } from '../kit/warning-counter.ts';
import { reportThreads } from '../raster-source/reject-sheets.ts';
import type { BaseUnit } from '../raster-source/plan-units.ts';
import { blocksOfUnit, layerOfZoom, layersOf } from '../raster-source/zoom-layers.ts';
import { buildPyramid, type Pyramid } from './pyramid/build-pyramid.ts';
import type { FoundTerrain } from '../terrain-source/find-terrain.ts';
import { reportBase } from './report-base.ts';
import { makeTiles, type MadeTerrain } from './output/make-tiles.ts';
import { isDrawnFromBase } from './output/draw-thumbnail.ts';
import { metadataPlan } from './output/metadata-plan.ts';
import type { TilePlan } from './output/order-tiles.ts';
import { boundsOf, writeOutput } from './output/write-output.ts';
import { unionOf, type PlannedSheets } from './plan-sheets.ts';
import { highestZoomOf } from './pyramid/pyramid-shape.ts';
import type { TerrainRun } from './terrain-run.ts';
import { createTileCollector, type TileSet } from './pyramid/tile-set.ts';
import { makesLineFile } from './settings.ts';
import type { Setup } from './tasks.ts';

export interface TerrainPlan {
  readonly setup: Omit<Setup, 'worker'>;
  readonly planned: PlannedSheets;
  readonly base: readonly BaseUnit[];
  /** The terrain beneath. */
  readonly found: FoundTerrain | undefined;
}

export interface Terrain {
  readonly made: MadeTerrain;
  readonly pyramid: Pyramid;
  readonly result: JobResult;
}

/** Makes the pyramid, tiles of it, and the archive. */
export async function makeTerrain(
  run: TerrainRun & { readonly context: JobContext },
  { setup, planned, base, found }: TerrainPlan,
): Promise<Terrain> {
  const { shape, pool, checkpoint, context } = run;
  const { settings } = setup;
  const watch = createStopwatch(context);
  const pyramid = await buildPyramid(run, base);
  reportThreads(mergeWarnings(pyramid.warnings), planned.sheets, context);
  watch.lap('read', { units: base.length, resumed: checkpoint.units.length, copied: pyramid.kept });
  if (pyramid.units.size === 0)
    throw new JobFailure(
      'nothingUsable',
      `No sheet has a single height: all cells of ${planned.sheets[0]!.name}${planned.sheets.length > 1 ? ' and the others' : ''} are no data. Check what the files declare as no data.`,
    );
  const maxZoom = highestZoomOf(setup);
  const tileSet = tilesOfPyramid(pyramid, setup, found);
  if (settings.format === 'folder' && tileSet.count > maxFolderFiles)
    throw new JobFailure(
      'tooLarge',
      `A folder would have ${tileSet.count} tiles, but at most ${maxFolderFiles} are allowed. Use output.format pmtiles, or a lower mesh.maxZoom.`,
    );
  const { available, metadataOf } = metadataPlan(tileSet, maxZoom);
  const isMesh = settings.kind === 'quantizedMesh';
  const plan: TilePlan = {
    shape,
    pyramid,
    tileSet,
    metadataOf: isMesh ? metadataOf : () => undefined,
    margin: settings.kind === 'rasterDem' ? 0 : 1,
    hasWater: setup.water !== undefined,
  };
  const made = await makeTiles(run, plan);
  watch.lap('make', { tiles: tileSet.count, made: made.made, copied: made.copied });
  const sheetBox = boundsOf(planned);
  const bbox = found?.bounds ? unionOf(sheetBox, found.bounds) : sheetBox;
  if (found) reportBase(found, sheetBox, { maxZoom, context });
  if (isDrawnFromBase(shape, sheetBox)) await pyramid.read(new Set(pyramid.units.keys()));
  await pool.close();
  const hasWater = setup.water !== undefined;
  const { tiles, lines } = made;
  const output = {
    settings,
    shape,
    pyramid,
    planned,
    sheetBox,
    bbox,
    tiles,
    lines,
    maxZoom,
    hasWater,
    available,
  };
  const result = await writeOutput(output, context);
  watch.lap('write', { tiles: tileSet.count });
  return { made, pyramid, result };
}

/** Tiles wherever there is data, and those of the terrain beneath; of a mesh, also around the data, and both roots. */
function tilesOfPyramid(
  pyramid: Pyramid,
  setup: Pick<Setup, 'shape' | 'settings'>,
  found: FoundTerrain | undefined,
): TileSet {
  const { shape, settings } = setup;
  const collector = createTileCollector(shape.grid);
  const layers = layersOf(shape);
  const minZoom = makesLineFile(settings) ? highestZoomOf(setup) : 0;
  for (const { unit, hasData } of pyramid.units.values()) {
    let index = 0;
    for (const place of blocksOfUnit(unit, layerOfZoom(layers, unit.z)))
      if (hasData[index++] === 1 && place.z >= minZoom) collector.add(place);
  }
  for (const place of found?.places ?? []) collector.addAlone(place);
  const isMesh = settings.kind === 'quantizedMesh';
  return collector.finish({ margin: isMesh, maxZoom: highestZoomOf(setup), withRoots: isMesh });
}
