import type { InspectionUse } from '@platen/contract/inspect';
import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { parseLayerJson, type TerrainLayer } from '@platen/formats/quantized-mesh/layer-json';
import { readMesh, type QuantizedMesh } from '@platen/formats/quantized-mesh/read-mesh';
import { onEarth } from '../box.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Finding, InspectionContext, Inspector, Subject } from '../inspector.ts';
import { unpackTile } from '../tile-archive/tile-kind.ts';
import { drawTerrain } from './draw-terrain.ts';

const maxDescriptionBytes = 32 << 20;
const maxTileBytes = 8 << 20;
const quantizedMesh = 'quantized-mesh-1.0';
/** Without both root tiles the viewer shows no globe. */
const roots = [
  [0, 0, 0],
  [0, 1, 0],
] as const;

/** Reads a tile by the layer's zoom, column and row; undefined if it is missing or damaged. */
export type ReadMesh = (z: number, x: number, y: number) => Promise<QuantizedMesh | undefined>;

/** Inspects a folder of terrain tiles with a layer.json; undefined for other folders. */
export const inspectTerrain: Inspector = async (subject, context) => {
  if (subject.bytes) return undefined;
  const description = await subject.find('layer.json');
  if (!description || description.size > maxDescriptionBytes) return undefined;
  const layer = parseLayerJson(new TextDecoder().decode(await description.read(0, description.size)));
  return layer && describe(layer, subject, context);
};

async function describe(layer: TerrainLayer, subject: Subject, context: InspectionContext): Promise<Finding> {
  const { issues, isOver } = context;
  const { name: folder } = subject;
  const { format, available, bounds, scheme, projection } = layer;
  const read = meshReader(layer, subject, context);
  const meshes: QuantizedMesh[] = [];
  const missing: string[] = [];
  if (format === quantizedMesh) {
    for (const [z, x, y] of roots) {
      const mesh = await read(z, x, y);
      if (mesh) meshes.push(mesh);
      else if (!(await findTile(layer, subject, [z, x, y]))) missing.push(`${z}/${x}/${y}.terrain`);
    }
  }
  const faults = faultsOf(layer, missing, meshes.length);
  for (const { code, message } of faults) issues.add(code, `${folder}: ${message}`);
  const box = bounds && onEarth([...bounds]);
  const tiles = available?.flat().reduce((sum, range) => sum + areaOf(range), 0);
  const maxZoom = layer.maxZoom ?? (available ? available.length - 1 : undefined);
  const picture =
    faults.length === 0 && maxZoom !== undefined
      ? await drawTerrain({ layer, box, maxZoom, read, isOver })
      : undefined;
  const thumbnail = picture && (await encodePicture(picture));
  return {
    format: 'quantizedMesh',
    formatTitle: 'Terrain (quantized-mesh)',
    formatVersion: format.slice(0, 100),
    kind: 'terrain',
    layers: [
      {
        name: (layer.name ?? folder).slice(0, 200) || 'terrain',
        geometryTypes: [],
        ...(tiles !== undefined && { featureCount: tiles }),
        isEstimated: false,
        ...(projection === 'EPSG:4326' && { crs: { code: 'EPSG:4326', name: 'WGS 84', isGuessed: false } }),
        ...(box && { bbox: box }),
        isBboxEstimated: false,
        verticalDatum: 'ellipsoid of WGS 84 (as the viewer takes it)',
        fields: [],
        details: {
          scheme,
          projection,
          minZoom: layer.minZoom ?? 0,
          ...(maxZoom !== undefined && { maxZoom }),
          ...(layer.version !== undefined && { version: layer.version }),
          ...(layer.attribution !== undefined && { attribution: layer.attribution.slice(0, 300) }),
          extensions: extensionsOf(layer, meshes),
          hasMetadataAvailability: layer.hasMetadataAvailability,
          ...(layer.parentUrl !== undefined && { parentUrl: layer.parentUrl }),
        },
      },
    ],
    uses: [useOf(faults)],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

function areaOf({
  startX,
  startY,
  endX,
  endY,
}: {
  startX: number;
  startY: number;
  endX: number;
  endY: number;
}): number {
  return Math.max(0, endX - startX + 1) * Math.max(0, endY - startY + 1);
}

interface Fault {
  readonly code: string;
  readonly message: string;
}

function faultsOf(
  { format, scheme, projection, parentUrl }: TerrainLayer,
  missing: readonly string[],
  whole: number,
): Fault[] {
  const faults: Fault[] = [];
  if (format !== quantizedMesh)
    faults.push({
      code: 'unsupportedTerrain',
      message: `it is terrain of the kind "${format.slice(0, 100)}", but the viewer shows only ${quantizedMesh}: create it again.`,
    });
  if (scheme !== 'tms')
    faults.push({
      code: 'unsupportedScheme',
      message: `its scheme is "${scheme.slice(0, 100)}", but the viewer needs "tms": create it again.`,
    });
  if (projection !== 'EPSG:4326')
    faults.push({
      code: 'unsupportedProjection',
      message: `its tiles are in ${projection.slice(0, 100)}, but the viewer needs EPSG:4326: create it again.`,
    });
  if (missing.length > 0 && parentUrl === undefined)
    faults.push({
      code: 'missingRootTiles',
      message: `the root ${missing.length === 1 ? 'tile' : 'tiles'} ${missing.join(' and ')} missing, without which the viewer shows no globe at all: make terrain that covers both root tiles 0/0/0 and 0/1/0.`,
    });
  else if (format === quantizedMesh && whole + missing.length < roots.length)
    faults.push({ code: 'damagedTile', message: 'a root tile is damaged: upload the folder again.' });
  if (parentUrl !== undefined)
    faults.push({
      code: 'parentTerrain',
      message: `it rests on another terrain (${parentUrl.slice(0, 200)}), which is not part of it: merge them into one.`,
    });
  return faults;
}

const extensionNames: Readonly<Record<number, string>> = {
  1: 'octvertexnormals',
  2: 'watermask',
  4: 'metadata',
};

function extensionsOf({ extensions }: TerrainLayer, meshes: readonly QuantizedMesh[]): string[] {
  const inTiles = meshes.flatMap((mesh) => mesh.extensions.map((id) => extensionNames[id] ?? String(id)));
  return [...new Set([...extensions, ...inTiles])];
}

function useOf(faults: readonly Fault[]): InspectionUse {
  const use = { kind: 'datasource', type: 'qmesh' } as const;
  return faults.length === 0
    ? { ...use, confidence: 0.95, reason: 'Terrain with both root tiles. It can be shown as it is.' }
    : {
        ...use,
        confidence: 0.2,
        reason: `Terrain that cannot be shown as it is: ${faults.map(({ message }) => message).join(' ')}`,
      };
}

type Place = readonly [z: number, x: number, y: number];

function findTile(
  { template, version }: TerrainLayer,
  subject: Subject,
  [z, x, y]: Place,
): Promise<Bytes | undefined> {
  const path = template
    .replace(/^\.?\//, '')
    .replace(/\?.*$/s, '')
    .replaceAll('{z}', String(z))
    .replaceAll('{x}', String(x))
    .replaceAll('{y}', String(y))
    .replaceAll('{version}', version ?? '');
  return subject.find(path);
}

function meshReader(layer: TerrainLayer, subject: Subject, { issues }: InspectionContext): ReadMesh {
  return async (z, x, y) => {
    const file = await findTile(layer, subject, [z, x, y]);
    if (!file || file.size > maxTileBytes) return undefined;
    const tile = unpackTile(await file.read(0, file.size));
    try {
      if (!tile) throw new BytesError('it cannot be unpacked');
      return readMesh(tile);
    } catch (error) {
      if (!(error instanceof BytesError)) throw error;
      issues.add('damagedTile', `${subject.name}: the tile ${z}/${x}/${y} is damaged: ${error.message}.`);
      return undefined;
    }
  };
}
