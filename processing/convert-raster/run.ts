import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { JobFailure, type RunJob } from '../job-type.ts';
import { logResume } from '../kit/checkpoint.ts';
import { memoryBudget } from '../kit/memory-plan.ts';
import { imageEndings } from '../raster-source/find-sheets.ts';
import { unpackInputs } from '../raster-source/unpack-inputs.ts';
import { convertForAnalysis } from './analysis/convert.ts';
import { convertForViewer } from './viewer/convert.ts';
import { openRasterCheckpoint } from './pyramid/checkpoint.ts';
import { readSettings } from './settings.ts';
import type { convertRaster } from './spec.ts';

/** Makes one cloud-optimized GeoTIFF of one or many sheets. */
export const runConvertRaster: RunJob<typeof convertRaster> = async (options, context) => {
  const settings = readSettings(options);
  if (context.inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const folder = join(context.scratchFolder, 'raster');
  const checkpoint = openRasterCheckpoint(folder, options, context);
  logResume(checkpoint, checkpoint.get('pyramid')?.next ?? 0, context);
  const conversion = {
    settings,
    budgetBytes: memoryBudget(settings.memoryMegabytes, context.limits),
    maxWorkers: settings.workers ?? availableParallelism(),
    folder,
    checkpoint,
    name: fileName(context.inputs[0]!.name),
  };
  try {
    const convert = settings.use === 'viewer' ? convertForViewer : convertForAnalysis;
    const unpacked = { sheets: imageEndings, folder: join(folder, 'unpacked') };
    const inputs = await unpackInputs(context.inputs, unpacked, context);
    return await convert(conversion, { ...context, inputs });
  } finally {
    if (context.keepsScratch !== true) rmSync(folder, { recursive: true, force: true });
  }
};

function fileName(input: string): string {
  return `${
    basename(input)
      .replace(/\.[^.]+$/, '')
      .slice(0, 200) || 'image'
  }.tif`;
}
