import { readFile } from 'node:fs/promises';
import { createFeature, type VisitFeature } from '../feature/feature.ts';
import { clearGeometry } from '../feature/geometry-buffer.ts';
import { crsName } from '../geojson/crs-name.ts';
import { openDecoder } from '../text/open-decoder.ts';
import { SourceError, type SourceFile, type SourceFormat, type SourceLayer } from '../source/source.ts';
import { decodeArcs, isPosition, type Transform } from './arcs.ts';
import { buildObject, type DecodedTopology, type TopologyObject } from './build-object.ts';

interface Topology {
  readonly objects: Readonly<Record<string, TopologyObject>>;
  readonly arcs: readonly unknown[];
  readonly transform: Transform | undefined;
  readonly crs: string | undefined;
}

/** The longest string V8 can hold, which with its objects fits into the memory of a job. */
const maxFileBytes = 512 * 2 ** 20 - 25;

/** TopoJSON: a layer for each of its objects, a feature for each member of a collection. All of it is read at once. */
export const topoJsonFormat: SourceFormat = {
  name: 'topojson',
  title: 'TopoJSON',
  async open(file) {
    const { objects, crs } = await readTopology(file);
    const names = Object.keys(objects);
    const layers = names.map((name): SourceLayer => ({
      name,
      crs,
      featureCount: featuresOf(objects[name]!).length,
      fields: undefined,
      bbox: undefined,
      parts: [{ format: 'topojson', file, weight: Math.round(file.size / names.length), range: name }],
    }));
    return { format: 'topojson', file, layers, warnings: [] };
  },
  async read({ file, range }, visit, { maxFeatureBytes, onProgress }) {
    const { objects, arcs, transform } = await readTopology(file);
    const object = Object.hasOwn(objects, range as string) ? objects[range as string] : undefined;
    if (object === undefined) throw new SourceError('brokenFile', 'the file has changed since it was opened');
    const maxPositions = Math.floor(maxFeatureBytes / (2 * Float64Array.BYTES_PER_ELEMENT));
    const topology = { arcs: decodeArcs(arcs, transform), transform, maxPositions };
    return readObject(object, { topology, visit, onProgress });
  },
};

interface ReadObjectOptions {
  readonly topology: DecodedTopology;
  readonly visit: VisitFeature;
  readonly onProgress: ((share: number) => void) | undefined;
}

const featuresBetweenReports = 1 << 14;

function readObject(object: TopologyObject, options: ReadObjectOptions): number {
  const { topology, visit, onProgress } = options;
  const feature = createFeature();
  const features = featuresOf(object);
  for (const [index, given] of features.entries()) {
    const own = isObject(given) ? given : {};
    clearGeometry(feature.geometry);
    feature.id = typeof own.id === 'string' || typeof own.id === 'number' ? own.id : undefined;
    feature.properties = isObject(own.properties) ? { ...own.properties } : {};
    feature.problem =
      own === given || given === null
        ? buildObject(feature.geometry, own, topology)
        : 'the feature is not an object';
    visit(feature, () => ({ feature: index + 1 }));
    if (index % featuresBetweenReports === 0) onProgress?.(index / features.length);
  }
  return features.length;
}

/** The members of a collection that is not a feature itself; a collection with properties is one feature. */
function featuresOf(object: TopologyObject): readonly unknown[] {
  const isFeature = object.properties !== undefined || object.id !== undefined;
  const isCollection = object.type === 'GeometryCollection' && !isFeature;
  return isCollection && Array.isArray(object.geometries) ? (object.geometries as unknown[]) : [object];
}

async function readTopology(file: SourceFile): Promise<Topology> {
  if (file.size > maxFileBytes) {
    const message = `the file is larger than ${maxFileBytes >> 20} MB, and TopoJSON can only be read as a whole: convert it to GeoJSON`;
    throw new SourceError('unsupported', message);
  }
  const decode = openDecoder(file.encoding ?? 'utf-8');
  const bytes = await readFile(file.path);
  let topology: unknown;
  try {
    topology = JSON.parse(decode(bytes, 0, bytes.length));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new SourceError('brokenJson', error.message, {}, { cause: error });
    throw error;
  }
  if (!isObject(topology) || topology['type'] !== 'Topology')
    throw new SourceError('brokenFile', 'the file is not TopoJSON: its type is not "Topology"');
  const { objects, arcs, transform, crs } = topology;
  if (!isObject(objects) || !Object.values(objects).every(isObject))
    throw new SourceError('brokenFile', 'the objects of the topology are missing, or are not an object');
  if (!Array.isArray(arcs))
    throw new SourceError('brokenFile', 'the arcs of the topology are missing, or are not an array');
  return {
    objects: objects as Record<string, TopologyObject>,
    arcs: arcs as unknown[],
    transform: transformOf(transform),
    crs: crsName(crs),
  };
}

function transformOf(value: unknown): Transform | undefined {
  if (value === undefined || value === null) return undefined;
  const { scale, translate } = value as Record<string, unknown>;
  if (!isPosition(scale) || !isPosition(translate))
    throw new SourceError(
      'brokenFile',
      'the transform of the topology has no scale and translate of two numbers',
    );
  return { scale: [scale[0]!, scale[1]!], translate: [translate[0]!, translate[1]!] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
