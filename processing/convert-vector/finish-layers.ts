import { writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Static } from 'typebox';
import type { Layer } from '../features/layers.ts';
import {
  JobFailure,
  type FurtherDatasource,
  type JobContext,
  type JobInput,
  type JobResult,
  type MadeDatasource,
} from '../job-type.ts';
import { thumbnailPathOf } from '../tile-style/thumbnail-path.ts';
import { layersProperties } from '../tile-style/tileset-properties.ts';
import type { Collection, InputReading } from './collect-layers.ts';
import type { Bbox, LayerFiles, OutputFormat } from '../features/layer-files.ts';
import type { convertVector } from './spec.ts';
import { copyLayer, manifestInputs, type Manifest, type ManifestLayer, type UpdatePlan } from './update.ts';

/** The report of a job has at most 8 MiB and 200,000 keys; a described attribute has 11 bytes for each of its keys. */
const maxAllPropertyBytes = 2 * 2 ** 20;
const maxTitleLength = 200;
const datasourceTypes = { flatgeobuf: 'flatgeobuf', geojson: 'geojson', geojsonl: 'generic' } as const;

interface FinishOptions {
  readonly context: JobContext;
  readonly files: LayerFiles;
  readonly options: Static<typeof convertVector.options>;
  readonly plan: UpdatePlan | undefined;
}

/** Finishes the file of each layer, or copies it. @returns the layers that become datasources, the primary one first */
export async function finishLayers(
  collection: Collection,
  { context, files, options, plan }: FinishOptions,
): Promise<ManifestLayer[]> {
  const { layers, sketches } = collection;
  const { layer: datasourceLayer, allLayers = false, format = 'flatgeobuf' } = options.output ?? {};
  const names = plan ? plan.former.layers.map(({ name }) => name) : [...layers.keys()];
  const primary = plan?.former.layers.find(({ resultKey }) => resultKey === undefined);
  const chosen = primary?.name ?? collection.chosen()?.name;
  if (chosen === undefined) throw noSuchLayer(datasourceLayer, names);
  const maxPropertyBytes = allLayers ? maxAllPropertyBytes / names.length : Infinity;
  const finished: ManifestLayer[] = [];
  for (const [index, name] of names.entries()) {
    context.signal.throwIfAborted();
    context.progress('write', index, names.length);
    const copied = plan?.remade.has(name) === false ? plan.former.layers[index] : undefined;
    if (copied) {
      await copyLayer(copied, context);
      context.log('info', `Copied ${copied.made.path}: nothing in it has changed.`, { layer: name });
      finished.push(copied);
      continue;
    }
    const { featureCount, bbox, tooManyColumns } = await files.finish(name);
    if (tooManyColumns) {
      const message = `The layer "${name}" has more attributes than FlatGeobuf can hold: the last were left out.`;
      context.warn('tooManyAttributes', message, { layer: name });
    }
    const { path } = files.open(name);
    context.log('info', `Wrote ${featureCount} features to ${path}.`, { layer: name, featureCount });
    if (!allLayers && name !== chosen) continue;
    const thumbnail = sketches.of(name).draw(name, bbox!);
    await writeFile(thumbnailPathOf(join(context.outputFolder, path), 'file'), thumbnail);
    const layer = layers.get(name)!;
    finished.push({
      name,
      ...(name !== chosen && { resultKey: parse(path).name }), // files have distinct names without their endings
      isClean: !tooManyColumns,
      made: describe({ path, format: format as OutputFormat, layer, bbox: bbox!, maxPropertyBytes }),
      thumbnail: Buffer.from(thumbnail).toString('base64'),
    });
  }
  context.progress('write', names.length, names.length);
  return finished;
}

interface ResultOptions {
  readonly context: JobContext;
  readonly inputs: readonly JobInput[];
  readonly readings: readonly InputReading[];
  readonly allLayers: boolean;
}

export async function resultOf(
  layers: readonly ManifestLayer[],
  { context, inputs, readings, allLayers }: ResultOptions,
): Promise<JobResult> {
  const { made: datasource } = layers.find(({ resultKey }) => resultKey === undefined)!;
  if (!allLayers) return { datasource };
  const furtherDatasources = layers.flatMap(({ resultKey, name, made }) =>
    resultKey === undefined ? [] : [furtherOf(resultKey, name, made)],
  );
  const read = manifestInputs(inputs, readings);
  if (!read) return { datasource, furtherDatasources };
  const manifest = `${datasource.path}.manifest.json`;
  const content: Manifest = { inputs: read, layers };
  await writeFile(join(context.outputFolder, manifest), JSON.stringify(content));
  return { datasource, furtherDatasources, manifest };
}

function furtherOf(key: string, layer: string, made: MadeDatasource): FurtherDatasource {
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
