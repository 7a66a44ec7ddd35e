import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { heightsFor } from '../heights/height-mode.ts';
import { withoutGeoid } from '../heights/open-heights.ts';
import { JobFailure, type RunJob } from '../job-type.ts';
import { memoryBudget } from '../kit/memory-plan.ts';
import { createStopwatch } from '../kit/stopwatch.ts';
import { createKnownSheets } from '../raster-source/known-sheets.ts';
import { takeTerrain } from '../terrain-source/take-terrain.ts';
import { chooseAttributes } from './attributes.ts';
import { openPointCheckpoint } from './checkpoint.ts';
import { makeTileset, type PlannedPoints } from './make-tileset.ts';
import { bucketSizes, olderPointsOf, planPointMemory } from './memory.ts';
import { sheetsWithin } from './place/box-filter.ts';
import { addOlder } from './compare/add-older.ts';
import { findPointImages } from './colour/find-images.ts';
import { divideInputs } from './inputs/divide-inputs.ts';
import { describeHeights, placeSheets } from './place/place-all.ts';
import { columnsOf } from './record-columns.ts';
import { readSettings } from './settings.ts';
import { findPointSheets, type DescribedSheet } from './sheets/find-sheets.ts';
import type { tilesPointcloud } from './spec.ts';
import { identifyPointSheets } from './update/identify-sheets.ts';
import { readFormer } from './update/manifest.ts';

/** Makes a tileset of one or many point clouds: reads each point once, into parts of the tree, and makes tiles of these. */
export const runTilesPointcloud: RunJob<typeof tilesPointcloud> = async (options, context) => {
  const settings = readSettings(options);
  // what is moved as a whole may have sheets with heights of several kinds
  const placing = settings.mode === 'asGiven' ? 'asGiven' : 'ellipsoid';
  if (context.inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const inputs = divideInputs(context.inputs, options);
  const { terrain, others: clouds } = await takeTerrain(inputs.clouds, settings.mode);
  const folder = join(context.scratchFolder, 'points');
  const unpacked = join(context.scratchFolder, 'point-inputs');
  const checkpoint = openPointCheckpoint(folder, options, context);
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  const watch = createStopwatch(context);
  try {
    const former = readFormer(context);
    const known = createKnownSheets<DescribedSheet>(former?.known);
    const find = {
      heights: heightsFor(placing, settings.heights),
      placement: options.modelOptions?.placement ?? {},
      columns: settings.columns,
      strict: settings.strict,
      scratch: unpacked,
      known,
    };
    const all = await findPointSheets(find, { ...context, inputs: clouds });
    const found = sheetsWithin(all, settings.box, context);
    const compared = await addOlder(found, inputs.older, { find, context });
    const heights = await describeHeights(compared, placing, context);
    const grids = clouds.filter((input) => !withoutGeoid([input], settings.heights).includes(input));
    const memory = planPointMemory(
      memoryBudget(settings.memoryMegabytes, context.limits),
      settings.workers ?? availableParallelism(),
      { hasImages: inputs.images.length > 0 },
    );
    const attributes = chooseAttributes(settings.attributes, found.sheets);
    const columns = columnsOf(found.sheets, attributes, settings);
    const sizes = bucketSizes(memory, columns.count);
    const plannedPoints = checkpoint.get('plannedPoints') ?? sizes.planned;
    checkpoint.save('plannedPoints', plannedPoints);
    const images = await findPointImages(
      inputs.images,
      {
        strict: settings.strict,
        imageBytes: memory.imageBytes,
        folder: join(folder, 'images'),
        clouds: found.sheets,
      },
      context,
    );
    const identified = identifyPointSheets(compared, {
      settings,
      heights,
      others: [...grids, ...inputs.images],
      images,
    });
    const placed = await placeSheets(
      compared,
      {
        identities: identified?.identities,
        former: former?.common.others === identified?.others ? former : undefined,
        rimMetres: settings.compareMetres ?? 0,
        spacingMetres: settings.spacingMetres,
      },
      context,
    );
    watch.lap('plan', { sheets: found.sheets.length });
    const plan: PlannedPoints = {
      settings,
      found,
      compared,
      ...placed,
      attributes,
      columns,
      heights,
      identified,
      known,
      former,
      plannedPoints,
      maxPoints: sizes.max,
      workers: memory.workers,
      terrain,
      images,
      imageBytes: memory.imageBytes,
      olderPoints: olderPointsOf(memory),
      folder,
      checkpoint,
    };
    return await makeTileset(plan, context);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
    if (context.keepsScratch !== true) rmSync(folder, { recursive: true, force: true });
  }
};
