import type { InspectedField, InspectedLayer, InspectionUse } from '@platen/contract/inspect';
import { maxLatitude } from '@platen/geo/tile/world-grid';
import { readTile, TileError } from '@platen/geo/mvt/read-tile';
import type { Box } from '../box.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { drawRaster } from './draw-raster.ts';
import { drawVector } from './draw-vector.ts';
import { kindOfTile, unpackTile, type TileKind } from './tile-kind.ts';

/** A set of web mercator tiles, from any kind of archive. */
export interface TileSource {
  readonly file: string;
  readonly format: Pick<Finding, 'format' | 'formatTitle' | 'formatVersion'>;
  readonly minZoom: number | undefined;
  readonly maxZoom: number | undefined;
  readonly bounds: Box | undefined;
  readonly tileCount: number | undefined;
  readonly isCountEstimated: boolean;
  /** TileJSON keys such as `name`, `attribution` and `vector_layers`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly details: Readonly<Record<string, unknown>>;
  /** Any one tile. */
  readonly sample: Uint8Array | undefined;
  /** Reads a tile; rows count from the north. */
  readonly read: (z: number, x: number, y: number) => Promise<Uint8Array | undefined>;
  /** The datasource type for raster tiles of this kind. */
  readonly rasterType: 'wmts' | 'tms';
}

const webMercator = { code: 'EPSG:3857', name: 'WGS 84 / Pseudo-Mercator', isGuessed: false } as const;
const wholeWorld: Box = [-180, -maxLatitude, 180, maxLatitude];
const maxValidZoom = 30;

export async function describeTiles(source: TileSource, context: InspectionContext): Promise<Finding> {
  const { file, format, bounds, sample } = source;
  const { issues } = context;
  const unpacked = sample && unpackTile(sample);
  const kind = unpacked ? kindOfTile(unpacked) : 'unknown';
  if (sample === undefined) issues.add('noTiles', `${file}: it contains no tiles.`);
  else if (kind === 'unknown')
    issues.add('unknownTiles', `${file}: its tiles are neither vector tiles nor PNG, JPEG or WebP.`);
  const zooms = zoomsOf(source);
  if (!zooms) issues.add('missingZooms', `${file} does not name its zoom levels.`);
  const box = bounds && soundBox(bounds);
  if (!box) issues.add('missingBounds', `${file} has no bounds. Give the datasource an extent.`);
  if (kind === 'vector') checkExtent(unpacked!, source, context);
  const layers = layersOf({ source, kind, box, zooms });
  const view = zooms && { ...zooms, bounds: box ?? wholeWorld };
  const drawn = {
    view,
    read: source.read,
    layers: layers.map(({ name }) => name),
    isOver: context.isOver,
  };
  const thumbnail = !view
    ? undefined
    : kind === 'vector'
      ? await drawVector({ ...drawn, view })
      : await drawRaster({ ...drawn, view });
  return {
    ...format,
    kind: 'tiles',
    layers,
    uses: usesOf(kind, source),
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

interface Zooms {
  readonly minZoom: number;
  readonly maxZoom: number;
}

function zoomsOf({ minZoom, maxZoom }: TileSource): Zooms | undefined {
  const isZoom = (zoom: number | undefined): zoom is number =>
    zoom !== undefined && Number.isInteger(zoom) && zoom >= 0 && zoom <= maxValidZoom;
  return isZoom(minZoom) && isZoom(maxZoom) && minZoom <= maxZoom ? { minZoom, maxZoom } : undefined;
}

function soundBox([west, south, east, north]: Box): Box | undefined {
  const isSound = west >= -180 && east <= 180 && south >= -90 && north <= 90 && west < east && south < north;
  return isSound ? [west, south, east, north] : undefined;
}

const viewerExtent = 4096;

function checkExtent(tile: Uint8Array, { file }: TileSource, { issues }: InspectionContext): void {
  try {
    const other = readTile(tile).find(({ extent }) => extent !== viewerExtent);
    if (other)
      issues.add(
        'tileExtent',
        `${file}: its tiles have an extent of ${other.extent}, but the viewer assumes ${viewerExtent}, so features appear in the wrong places. Create the tiles again with an extent of ${viewerExtent}.`,
      );
  } catch (error) {
    if (!(error instanceof TileError)) throw error;
    issues.add('damagedTile', `${file}: one of its tiles is damaged: ${error.message}.`);
  }
}

interface LayerFacts {
  readonly source: TileSource;
  readonly kind: TileKind;
  readonly box: Box | undefined;
  readonly zooms: Zooms | undefined;
}

const maxLayers = 100;

function layersOf({ source, kind, box, zooms }: LayerFacts): InspectedLayer[] {
  const { metadata, tileCount, isCountEstimated, details } = source;
  const common = {
    isEstimated: isCountEstimated,
    crs: webMercator,
    ...(box && { bbox: box }),
    isBboxEstimated: false,
  };
  const attribution = textOf(metadata['attribution'])?.slice(0, 1000);
  const all = {
    tileKind: kind,
    ...zooms,
    ...(tileCount !== undefined && { tiles: tileCount }),
    ...(attribution !== undefined && { attribution }),
    ...details,
  };
  const vectorLayers = kind === 'vector' ? vectorLayersIn(metadata) : [];
  const namedLayers = vectorLayers.length > 0 ? vectorLayers : kind === 'vector' ? layersInTile(source) : [];
  if (namedLayers.length === 0) {
    const name = textOf(metadata['name']) ?? source.file.replace(/\.[^.]+$/, '');
    const count = tileCount !== undefined && { featureCount: tileCount };
    return [{ name: name || 'tiles', geometryTypes: [], fields: [], ...common, ...count, details: all }];
  }
  return namedLayers
    .slice(0, maxLayers)
    .map((layer, i) => layerOf(layer, { common, details: i === 0 ? all : {} }));
}

interface VectorLayer {
  readonly id: string;
  readonly zooms: Readonly<Record<string, unknown>>;
  readonly geometryTypes: readonly string[];
  readonly featureCount: number | undefined;
  readonly fields: InspectedField[];
}

function layerOf(
  { id, zooms, geometryTypes, featureCount, fields }: VectorLayer,
  { common, details }: { common: object; details: object },
): InspectedLayer {
  return {
    name: id,
    geometryTypes: [...geometryTypes],
    fields,
    ...(featureCount !== undefined && { featureCount }),
    ...(common as Pick<InspectedLayer, 'isEstimated' | 'isBboxEstimated'>),
    details: { ...details, ...zooms },
  };
}

/** Reads `vector_layers`, and `tilestats` where present. */
function vectorLayersIn(metadata: TileSource['metadata']): VectorLayer[] {
  const { vector_layers: layers, tilestats } = metadata;
  if (!Array.isArray(layers)) return [];
  const stats = objectOf(tilestats)['layers'];
  const statistics = new Map(
    (Array.isArray(stats) ? stats : []).map((one) => [objectOf(one)['layer'], objectOf(one)]),
  );
  return layers.flatMap((layer) => {
    const { id, minzoom, maxzoom, fields } = objectOf(layer);
    if (typeof id !== 'string' || id === '') return [];
    const { count, geometry } = statistics.get(id) ?? {};
    return {
      id: id.slice(0, 200),
      zooms: {
        ...(typeof minzoom === 'number' && { minZoom: minzoom }),
        ...(typeof maxzoom === 'number' && { maxZoom: maxzoom }),
      },
      geometryTypes: typeof geometry === 'string' ? [geometry] : [],
      featureCount: typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined,
      fields: fieldsOf(fields),
    };
  });
}

const fieldTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
};

function fieldsOf(fields: unknown): InspectedField[] {
  return Object.entries(objectOf(fields))
    .slice(0, 1000)
    .map(([name, type]) => ({
      name: name.slice(0, 200),
      type: fieldTypes[String(type).toLowerCase()] ?? 'mixed',
      examples: [],
    }));
}

/** Lists the layers of the sample tile when the metadata has none. */
function layersInTile({ sample }: TileSource): VectorLayer[] {
  const tile = sample && unpackTile(sample);
  if (!tile) return [];
  try {
    return readTile(tile).map(({ name }) => ({
      id: name.slice(0, 200),
      zooms: {},
      geometryTypes: [],
      featureCount: undefined,
      fields: [],
    }));
  } catch (error) {
    if (!(error instanceof TileError)) throw error;
    return [];
  }
}

function usesOf(kind: TileKind, { rasterType }: TileSource): InspectionUse[] {
  const use = { kind: 'datasource', confidence: 0.95 } as const;
  if (kind === 'vector')
    return [{ ...use, type: 'vectortiles', reason: 'Vector tiles: they are served as they are.' }];
  if (kind === 'unknown' || kind === 'terrain' || kind === 'avif') return [];
  return [{ ...use, type: rasterType, reason: 'Finished map tiles: they are served as they are.' }];
}

export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, 200) : undefined;
}
