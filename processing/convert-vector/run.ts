import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Feature, VisitFeature } from '@platen/formats/feature/feature';
import type { GeometryBuffer, GeometryType } from '@platen/formats/feature/geometry-buffer';
import { usableParts } from '@platen/formats/geojson/write-geometry';
import type { Static } from 'typebox';
import type { InputPart } from '../features/open-inputs.ts';
import { readFeatures } from '../features/read-features.ts';
import { JobFailure, type JobContext, type JobResult, type RunJob } from '../job-type.ts';
import { createFeatureSketch } from '../tile-style/feature-sketch.ts';
import { thumbnailPathOf } from '../tile-style/thumbnail-path.ts';
import { layersProperties } from '../tile-style/tileset-properties.ts';
import { countValue } from '../tiles-vector/attribute-statistics.ts';
import { layerNameOf, layerOf, statisticsOf, type Layer, type Layers } from '../tiles-vector/layers.ts';
import {
  createLayerFiles,
  type Bbox,
  type LayerFile,
  type LayerFiles,
  type OutputFormat,
} from './layer-files.ts';
import type { convertVector } from './spec.ts';

type Options = Static<typeof convertVector.options>;

interface Counts {
  read: number;
  written: number;
  invalidCoordinates: number;
}

const longestFeatureBytes = 256 * 2 ** 20;
/** As far as data may lie beyond the antimeridian, to be drawn in one piece. */
const farthestLongitude = 540;
const datasourceTypes = { flatgeobuf: 'flatgeobuf', geojson: 'geojson', geojsonl: 'generic' } as const;

/** Reads the features of all inputs and writes each layer into a file. */
export const runConvertVector: RunJob<typeof convertVector> = async (options, context) => {
  if (context.inputs.length === 0) throw new JobFailure('emptyInput', 'There is no input file.');
  const format = (options.output?.format ?? 'flatgeobuf') as OutputFormat;
  const { outputFolder, scratchFolder } = context;
  const decimals = options.output?.decimals ?? 7;
  const files = createLayerFiles({ format, decimals, outputFolder, scratchFolder });
  try {
    return await convert({ options, context, files, format });
  } finally {
    files.discard();
  }
};

interface Conversion {
  readonly options: Options;
  readonly context: JobContext;
  readonly files: LayerFiles;
  readonly format: OutputFormat;
}

async function convert({ options, context, files, format }: Conversion): Promise<JobResult> {
  const counts: Counts = { read: 0, written: 0, invalidCoordinates: 0 };
  const layers: Layers = new Map();
  const sketch = createFeatureSketch();
  const wanted = options.output?.layer;
  let chosen: Layer | undefined;
  const onWritten = (layer: Layer, geometry: GeometryBuffer): void => {
    if (chosen === undefined && (wanted === undefined || layer.name === wanted)) chosen = layer;
    if (layer === chosen) sketch.add(geometry);
  };
  const { layerName } = options.modelOptions ?? {};
  const select = selectorOf(options);
  const visitorOf = (part: InputPart): VisitFeature => {
    const layer = layerOf(layers, layerName ?? part.layer ?? layerNameOf(part.file));
    const target = { file: files.open(layer.name), layer };
    const warn: JobContext['warn'] = (...warning) => context.warn(...warning);
    return visitor(target, { counts, select, warn, onWritten, source: part.file });
  };
  await readFeatures(context, visitorOf, longestFeatureBytes);
  refuseUseless(counts, context);

  const used = [...layers.values()].filter(({ features }) => features > 0);
  if (chosen === undefined) throw noSuchLayer(wanted, used);
  let result: JobResult | undefined;
  for (const [index, layer] of used.entries()) {
    context.signal.throwIfAborted();
    context.progress('write', index, used.length);
    const file = files.open(layer.name);
    const { featureCount, bbox, tooManyColumns } = await files.finish(layer.name);
    if (tooManyColumns) {
      const message = `The layer "${layer.name}" has more attributes than FlatGeobuf can hold: the last were left out.`;
      context.warn('tooManyAttributes', message, { layer: layer.name });
    }
    context.log('info', `Wrote ${featureCount} features to ${file.path}.`, {
      layer: layer.name,
      featureCount,
    });
    if (layer !== chosen) continue;
    const thumbnail = thumbnailPathOf(join(context.outputFolder, file.path), 'file');
    await writeFile(thumbnail, sketch.draw(layer.name, bbox!));
    result = resultOf({ file, format, layer, bbox: bbox! });
  }
  context.progress('write', used.length, used.length);
  return result!;
}

interface Written {
  readonly file: LayerFile;
  readonly format: OutputFormat;
  readonly layer: Layer;
  readonly bbox: Bbox;
}

function resultOf({ file, format, layer, bbox: [west, south, east, north] }: Written): JobResult {
  const round = (degrees: number, most: number) =>
    Math.min(most, Math.max(-most, Math.round(degrees * 1e7) / 1e7));
  return {
    datasource: {
      type: datasourceTypes[format],
      path: file.path,
      bbox: [round(west, 180), round(south, 90), round(east, 180), round(north, 90)],
      typeProperties: {},
      properties: { ...layersProperties([layer]), thumbnail: 'thumbnail.png' },
    },
  };
}

interface Visiting {
  readonly counts: Counts;
  readonly select: (properties: Feature['properties']) => Feature['properties'];
  readonly warn: JobContext['warn'];
  readonly onWritten: (layer: Layer, geometry: GeometryBuffer) => void;
  /** The name of the file that is read. */
  readonly source: string;
}

function visitor(
  { file, layer }: { file: LayerFile; layer: Layer },
  { counts, select, warn, onWritten, source }: Visiting,
): VisitFeature {
  return (feature, place) => {
    counts.read++;
    const { id, geometry, problem } = feature;
    if (problem !== undefined) {
      warn('invalidGeometry', `Features of ${source} were skipped: ${problem}.`, {
        file: source,
        ...place(),
      });
      return;
    }
    if (!hasUsableCoordinates(geometry)) {
      counts.invalidCoordinates++;
      const message = `Features of ${source} were skipped, as they have coordinates that are no longitudes and latitudes.`;
      warn('invalidCoordinates', message, { file: source, ...place() });
      return;
    }
    const properties = select(feature.properties);
    if (usableParts(geometry).length === 0 || !file.add({ id, geometry, properties })) {
      const message = `Features of ${source} without a geometry, or with too few positions, were left out.`;
      warn('withoutGeometry', message, { file: source, ...place() });
      return;
    }
    counts.written++;
    onWritten(layer, geometry);
    layer.features++;
    layer.geometries[kinds[geometry.parts[0]!.type]]++;
    for (const [name, value] of Object.entries(properties)) {
      if (value === null || value === undefined) continue;
      const plain = typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
      countValue(statisticsOf(layer, name), plain);
    }
  };
}

const kinds: Readonly<Record<GeometryType, 'Point' | 'LineString' | 'Polygon'>> = {
  Point: 'Point',
  MultiPoint: 'Point',
  LineString: 'LineString',
  MultiLineString: 'LineString',
  Polygon: 'Polygon',
  MultiPolygon: 'Polygon',
};

/** False also where a coordinate is not finite. */
function hasUsableCoordinates({ coordinates, positionCount }: GeometryBuffer): boolean {
  for (let at = 0; at < positionCount * 2; at += 2) {
    if (!(Math.abs(coordinates[at]!) <= farthestLongitude && Math.abs(coordinates[at + 1]!) <= 90))
      return false;
  }
  return true;
}

function selectorOf({ modelOptions = {} }: Options): Visiting['select'] {
  const exclude = new Set(modelOptions.exclude);
  const include = modelOptions.include === undefined ? undefined : new Set(modelOptions.include);
  if (exclude.size === 0 && include === undefined) return (properties) => properties;
  const isKept = (name: string) => !exclude.has(name) && (include === undefined || include.has(name));
  return (properties) => Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name)));
}

/** Fails where nothing could be written, or the input is so clearly in another CRS that what is left is chance. */
function refuseUseless({ read, written, invalidCoordinates }: Counts, { inputs }: JobContext): void {
  const files = inputs.map((input) => input.name).join(', ');
  if (read === 0) throw new JobFailure('emptyInput', `${files}: no features.`);
  if (invalidCoordinates * 2 > read) {
    throw new JobFailure(
      'invalidCoordinates',
      `${files}: ${invalidCoordinates} of ${read} features have coordinates that are no longitudes and latitudes. The data is probably in a projected CRS: name its CRS at the input.`,
    );
  }
  if (written === 0)
    throw new JobFailure('invalidGeometry', `${files}: none of the ${read} features has a usable geometry.`);
}

function noSuchLayer(wanted: string | undefined, layers: readonly Layer[]): JobFailure {
  const names = layers.map(({ name }) => `"${name}"`).join(', ');
  return new JobFailure(
    'noSuchLayer',
    `output.layer: there is no layer "${wanted}" with features. There is ${names}.`,
  );
}
