import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { compileModel, unknownSources } from '../features/compile-model.ts';
import { checkReadResults } from '../features/check-read-results.ts';
import type { SourceName } from '../features/layer-name.ts';
import { readFeatures } from '../features/read-features.ts';
import { JobFailure, type JobContext, type JobResult, type RunJob } from '../job-type.ts';
import { memoryBudget } from '../kit/memory-plan.ts';
import { thumbnailPathOf } from '../tile-style/thumbnail-path.ts';
import { layersProperties } from '../tile-style/tileset-properties.ts';
import type { Layer } from '../features/layers.ts';
import { collectLayers, type Collection } from './collect-layers.ts';
import { createLayerFiles, type Bbox, type LayerFiles, type OutputFormat } from './layer-files.ts';
import type { convertVector } from './spec.ts';

type Options = Static<typeof convertVector.options>;

/** A feature is in memory several times: in its file's encoding, as coordinates, and as it is written. */
const maxFeatureShare = 1 / 8;
const maxMemoryMegabytes = 2048;
const datasourceTypes = { flatgeobuf: 'flatgeobuf', geojson: 'geojson', geojsonl: 'generic' } as const;

/** Reads the features of all inputs and writes each layer into a file. */
export const runConvertVector: RunJob<typeof convertVector> = async (options, given) => {
  const context = { ...given, scratchFolder: join(given.scratchFolder, 'convert') };
  if (context.inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const format = (options.output?.format ?? 'flatgeobuf') as OutputFormat;
  const { outputFolder, scratchFolder } = context;
  const decimals = options.output?.decimals ?? 7;
  await mkdir(scratchFolder);
  const files = createLayerFiles({ format, decimals, outputFolder, scratchFolder });
  try {
    const collection = await collect({ options, context, files });
    return await finish(collection, { context, files, format, datasourceLayer: options.output?.layer });
  } finally {
    files.discard();
    await rm(scratchFolder, { recursive: true, force: true });
  }
};

interface CollectOptions {
  readonly options: Options;
  readonly context: JobContext;
  readonly files: LayerFiles;
}

async function collect({ options, context, files }: CollectOptions): Promise<Collection> {
  const warn: JobContext['warn'] = (...warning) => context.warn(...warning);
  const { modelOptions = {}, output } = options;
  const model = await compileModel(modelOptions, { warn });
  const collection = collectLayers({ model, files, reject: context.reject, datasourceLayer: output?.layer });
  const sources: SourceName[] = [];
  const visitorOf = ({ file, layer }: SourceName) => {
    sources.push({ file, layer });
    return collection.visitorOf({ file, layer });
  };
  const maxFeatureBytes = Math.floor(memoryBudget(maxMemoryMegabytes, context.limits) * maxFeatureShare);
  await readFeatures(context, visitorOf, maxFeatureBytes);
  for (const source of unknownSources(modelOptions, sources)) {
    const message = `The inputs have no layer or file "${source}", which modelOptions.layers names as a source.`;
    warn('unknownSource', message, { source });
  }
  const { counts, rejects } = collection;
  checkReadResults({ ...counts, rejects: rejects.list() }, context, options.processing?.strict ?? false);
  return collection;
}

interface FinishOptions {
  readonly context: JobContext;
  readonly files: LayerFiles;
  readonly format: OutputFormat;
  /** The layer of the datasource. */
  readonly datasourceLayer: string | undefined;
}

async function finish(
  collection: Collection,
  { context, files, format, datasourceLayer }: FinishOptions,
): Promise<JobResult> {
  const { layers, sketch } = collection;
  const layer = collection.chosen();
  if (layer === undefined) throw noSuchLayer(datasourceLayer, [...layers.keys()]);
  let chosenBbox: Bbox | undefined;
  for (const [index, { name }] of [...layers.values()].entries()) {
    context.signal.throwIfAborted();
    context.progress('write', index, layers.size);
    const { featureCount, bbox, tooManyColumns } = await files.finish(name);
    if (tooManyColumns) {
      const message = `The layer "${name}" has more attributes than FlatGeobuf can hold: the last were left out.`;
      context.warn('tooManyAttributes', message, { layer: name });
    }
    const { path } = files.open(name);
    context.log('info', `Wrote ${featureCount} features to ${path}.`, { layer: name, featureCount });
    if (name === layer.name) chosenBbox = bbox;
  }
  const { path } = files.open(layer.name);
  const thumbnail = thumbnailPathOf(join(context.outputFolder, path), 'file');
  await writeFile(thumbnail, sketch.draw(layer.name, chosenBbox!));
  context.progress('write', layers.size, layers.size);
  return resultOf({ path, format, layer, bbox: chosenBbox! });
}

interface WrittenLayer {
  readonly path: string;
  readonly format: OutputFormat;
  readonly layer: Layer;
  readonly bbox: Bbox;
}

function resultOf({ path, format, layer, bbox: [west, south, east, north] }: WrittenLayer): JobResult {
  const round = (degrees: number, limit: number) =>
    Math.min(limit, Math.max(-limit, Math.round(degrees * 1e7) / 1e7));
  return {
    datasource: {
      type: datasourceTypes[format],
      path,
      bbox: [round(west, 180), round(south, 90), round(east, 180), round(north, 90)],
      typeProperties: {},
      properties: { ...layersProperties([layer]), thumbnail: 'thumbnail.png' },
    },
  };
}

function noSuchLayer(name: string | undefined, layers: readonly string[]): JobFailure {
  const names = layers.map((name) => `"${name}"`).join(', ');
  return new JobFailure(
    'noSuchLayer',
    `output.layer: no layer "${name}" has features. Layers with features: ${names}.`,
  );
}
