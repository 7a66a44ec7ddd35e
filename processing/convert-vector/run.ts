import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Static } from 'typebox';
import { compileModel, unknownSources } from '../features/compile-model.ts';
import { checkReadResults } from '../features/check-read-results.ts';
import type { SourceName } from '../features/layer-name.ts';
import { readFeatures } from '../features/read-features.ts';
import {
  JobFailure,
  type FurtherDatasource,
  type JobContext,
  type JobResult,
  type MadeDatasource,
  type RunJob,
} from '../job-type.ts';
import { maxFeatureBytesOf, memoryBudget } from '../kit/memory-plan.ts';
import { thumbnailPathOf } from '../tile-style/thumbnail-path.ts';
import { layersProperties } from '../tile-style/tileset-properties.ts';
import type { Layer } from '../features/layers.ts';
import { collectLayers, type Collection } from './collect-layers.ts';
import { createLayerFiles, type Bbox, type LayerFiles, type OutputFormat } from './layer-files.ts';
import type { convertVector } from './spec.ts';

type Options = Static<typeof convertVector.options>;

/** For sorting features, when all are read. More would hardly make it faster. */
const sortingShare = 1 / 8;
const maxSortingBytes = 64 * 2 ** 20;
const maxMemoryMegabytes = 2048;
/** The report of a job has at most 8 MiB and 200,000 keys; a described attribute has 11 bytes for each of its keys. */
const maxAllPropertyBytes = 2 * 2 ** 20;
const maxTitleLength = 200;
const datasourceTypes = { flatgeobuf: 'flatgeobuf', geojson: 'geojson', geojsonl: 'generic' } as const;

/** Reads the features of all inputs and writes each layer into a file. */
export const runConvertVector: RunJob<typeof convertVector> = async (options, given) => {
  const context = { ...given, scratchFolder: join(given.scratchFolder, 'convert') };
  if (context.inputs.length === 0) throw new JobFailure('emptyInput', 'The job has no input file.');
  const format = (options.output?.format ?? 'flatgeobuf') as OutputFormat;
  const { outputFolder, scratchFolder } = context;
  const decimals = options.output?.decimals ?? 7;
  await mkdir(scratchFolder);
  const budget = memoryBudget(maxMemoryMegabytes, context.limits);
  const memoryBytes = Math.min(maxSortingBytes, Math.floor(budget * sortingShare));
  const files = createLayerFiles({ format, decimals, outputFolder, scratchFolder, memoryBytes });
  const maxFeatureBytes = maxFeatureBytesOf(budget);
  try {
    const collection = await collect({ options, context, files, maxFeatureBytes });
    return await finish(collection, { context, files, options, format });
  } finally {
    files.discard();
    await rm(scratchFolder, { recursive: true, force: true });
  }
};

interface CollectOptions {
  readonly options: Options;
  readonly context: JobContext;
  readonly files: LayerFiles;
  readonly maxFeatureBytes: number;
}

async function collect({ options, context, files, maxFeatureBytes }: CollectOptions): Promise<Collection> {
  const warn: JobContext['warn'] = (...warning) => context.warn(...warning);
  const { modelOptions = {}, output } = options;
  const model = await compileModel(modelOptions, { warn });
  const collection = collectLayers({
    model,
    files,
    reject: context.reject,
    datasourceLayer: output?.layer,
    allLayers: output?.allLayers ?? false,
  });
  const sources: SourceName[] = [];
  const visitorOf = ({ file, layer }: SourceName) => {
    sources.push({ file, layer });
    return collection.visitorOf({ file, layer });
  };
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
  readonly options: Options;
  readonly format: OutputFormat;
}

async function finish(
  collection: Collection,
  { context, files, options, format }: FinishOptions,
): Promise<JobResult> {
  const { layers, sketches } = collection;
  const { layer: datasourceLayer, allLayers = false } = options.output ?? {};
  const chosen = collection.chosen();
  if (chosen === undefined) throw noSuchLayer(datasourceLayer, [...layers.keys()]);
  const maxPropertyBytes = allLayers ? maxAllPropertyBytes / layers.size : Infinity;
  const written = new Map<string, MadeDatasource>();
  for (const [index, layer] of [...layers.values()].entries()) {
    context.signal.throwIfAborted();
    context.progress('write', index, layers.size);
    const { name } = layer;
    const { featureCount, bbox, tooManyColumns } = await files.finish(name);
    if (tooManyColumns) {
      const message = `The layer "${name}" has more attributes than FlatGeobuf can hold: the last were left out.`;
      context.warn('tooManyAttributes', message, { layer: name });
    }
    const { path } = files.open(name);
    context.log('info', `Wrote ${featureCount} features to ${path}.`, { layer: name, featureCount });
    if (!allLayers && layer !== chosen) continue;
    const thumbnail = thumbnailPathOf(join(context.outputFolder, path), 'file');
    await writeFile(thumbnail, sketches.of(name).draw(name, bbox!));
    written.set(name, describe({ path, format, layer, bbox: bbox!, maxPropertyBytes }));
  }
  context.progress('write', layers.size, layers.size);
  const datasource = written.get(chosen.name)!;
  written.delete(chosen.name);
  const further = [...written].map(([name, made]) => furtherOf(name, made));
  return { datasource, ...(allLayers && { furtherDatasources: further }) };
}

/** Files have distinct names without their endings, which depend on the format. */
function furtherOf(layer: string, made: MadeDatasource): FurtherDatasource {
  const key = parse(made.path).name;
  const title = layer
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, maxTitleLength);
  return { key, title: title || key, ...made };
}

interface WrittenLayer {
  readonly path: string;
  readonly format: OutputFormat;
  readonly layer: Layer;
  readonly bbox: Bbox;
  readonly maxPropertyBytes: number;
}

function describe({ path, format, layer, bbox, maxPropertyBytes }: WrittenLayer): MadeDatasource {
  const [west, south, east, north] = bbox;
  const round = (degrees: number, limit: number) =>
    Math.min(limit, Math.max(-limit, Math.round(degrees * 1e7) / 1e7));
  return {
    type: datasourceTypes[format],
    path,
    bbox: [round(west, 180), round(south, 90), round(east, 180), round(north, 90)],
    typeProperties: {},
    properties: { ...layersProperties([layer], maxPropertyBytes), thumbnail: 'thumbnail.png' },
  };
}

function noSuchLayer(name: string | undefined, layers: readonly string[]): JobFailure {
  const names = layers.map((name) => `"${name}"`).join(', ');
  return new JobFailure(
    'noSuchLayer',
    `output.layer: no layer "${name}" has features. Layers with features: ${names}.`,
  );
}
