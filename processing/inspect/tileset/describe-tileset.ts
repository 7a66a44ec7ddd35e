import type { InspectedField, InspectedLayer, InspectionUse } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { unpackedBytes } from '@platen/formats/bytes/unpacked-bytes';
import { asNumber, asObject } from '@platen/formats/json/read-values';
import { parseAt } from '@platen/formats/json/scan-members';
import { rootVolume, type RootVolume } from '@platen/formats/tiles-3d/bounding-volume';
import { readTileset, type Tileset } from '@platen/formats/tiles-3d/tileset';
import { walkTiles, type TileWalk } from '@platen/formats/tiles-3d/walk-tiles';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { unsupportedGltfExtensions, unsupportedTilesetExtensions } from '../mesh/viewer-extensions.ts';
import { layerTitle } from '../place/layer-title.ts';
import { createFieldSample } from '../sample-fields.ts';
import { drawTiles } from './draw-tiles.ts';
import { sampleContents, type ContentSample } from './sample-contents.ts';

const maxJsonBytes = 128 << 20;
/** It is in memory as text and as objects. */
const maxJsonShare = 1 / 4;
const about = { format: '3dtiles', formatTitle: '3D Tiles' };
const knownVersions = new Set(['0.0', '1.0', '1.1']);

/** @param path path of the tileset.json within the subject */
export async function describeTileset(
  subject: Subject,
  path: string,
  context: InspectionContext,
): Promise<Finding> {
  const { issues } = context;
  const tileset = await readJson(subject, path, context);
  if (tileset?.root === undefined) {
    if (tileset !== undefined) issues.add('brokenFile', `${path} has no root tile: it cannot be shown.`);
    return { ...about, kind: 'tileset', layers: [], uses: [] };
  }
  const volume = rootVolume(tileset.root);
  const walk = walkTiles(tileset.root);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const sample = await sampleContents(subject, walk, { folder, context });
  reportFaults({ tileset, walk, volume, sample, path }, context);
  const thumbnail = await drawTiles(sample, { tileset, walk, isOver: context.isOver });
  return {
    ...about,
    ...(tileset.version !== undefined && { formatVersion: tileset.version }),
    kind: 'tileset',
    layers: [layerOf(subject, { tileset, walk, volume, sample, path })],
    uses: [useOf({ tileset, walk, volume, sample, path })],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

interface InspectedTileset {
  readonly tileset: Tileset;
  readonly walk: TileWalk;
  readonly volume: RootVolume | undefined;
  readonly sample: ContentSample;
  readonly path: string;
}

async function readJson(
  subject: Subject,
  path: string,
  { issues, memoryBytes }: InspectionContext,
): Promise<Tileset | undefined> {
  const maxBytes = Math.min(maxJsonBytes, Math.floor(memoryBytes * maxJsonShare));
  try {
    const bytes = await unpackedBytes((await subject.find(path))!, maxBytes);
    if (bytes.size > maxBytes) {
      const message = `${path} has ${bytes.size} bytes, which is too large: divide it into several tileset.json.`;
      issues.add('tooLarge', message);
      return undefined;
    }
    const text = await bytes.read(0, bytes.size);
    const value = parseAt(text, text[0] === 0xef ? 3 : 0, text.length);
    const tileset = readTileset(value);
    if (tileset === undefined) {
      const message =
        value === undefined
          ? 'is not valid JSON: it is damaged or truncated. Upload it again'
          : 'has no "asset" and "root", which every tileset has';
      issues.add('brokenFile', `${path} ${message}.`);
    }
    return tileset;
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${path}: ${error.message}.`);
    return undefined;
  }
}

function reportFaults(
  { tileset, walk, volume, sample, path }: InspectedTileset,
  { issues }: InspectionContext,
): void {
  if (tileset.version === undefined || !knownVersions.has(tileset.version)) {
    const problem =
      tileset.version === undefined ? 'does not say its version' : `is of version ${tileset.version}`;
    issues.add('unknownVersion', `${path} ${problem}: 3D Tiles 1.0 and 1.1 are known.`);
  }
  if (volume?.extent === undefined && (volume === undefined || /^(?:region|box|sphere)$/.test(volume.shape)))
    issues.add(
      'noPlace',
      `The root of ${path} has no place on earth: it needs a transform from its own coordinates to geocentric ones (EPSG:4978).`,
    );
  if (walk.broken > 0)
    issues.add('brokenTile', `${path} has tiles without a bounding volume, or that are none.`, walk.broken);
  if (walk.isCutOff) issues.add('manyTiles', `${path} has more tiles than this report covers.`);
  if (walk.contents === 0 && walk.implicit.length === 0)
    issues.add('noFeatures', `${path} has no tile with content, so nothing is visible.`);
  const lacking = [
    ...unsupportedTilesetExtensions(tileset.extensionsRequired),
    ...unsupportedGltfExtensions([...sample.gltfRequired]),
  ];
  if (lacking.length > 0)
    issues.add(
      'unsupportedExtension',
      `${path} requires extensions that the viewer does not support: ${lacking.join(', ')}.`,
    );
}

const pointTypes = new Set(['pnts', 'glb (points)']);

function layerOf(
  subject: Subject,
  { tileset, walk, volume, sample, path }: InspectedTileset,
): InspectedLayer {
  const fields = createFieldSample();
  for (const properties of sample.attributes) fields.see(properties);
  const named = [
    ...Object.keys(tileset.properties),
    ...[...tileset.classes.values()].flat(),
    ...sample.classProperties,
  ];
  const described = fields.describe([]);
  const known = new Set(described.map(({ name }) => name));
  const unseen = [...new Set(named)].filter((name) => !known.has(name)).slice(0, 500);
  const types = Object.keys(sample.types);
  const isPoints = types.length > 0 && types.every((type) => pointTypes.has(type) || type === 'json');
  const name = path.includes('/') ? path.split('/').at(-2)! : subject.name;
  const [implicit] = walk.implicit;
  return {
    name: layerTitle(name),
    geometryTypes: types.length === 0 ? [] : [isPoints ? 'Point' : 'Triangle'],
    featureCount: walk.tiles,
    isEstimated: walk.isCutOff || implicit !== undefined || sample.external > 0,
    crs: { code: 'EPSG:4978', name: 'WGS 84 (geocentric)', isGuessed: false },
    ...(volume?.extent && { bbox: [...volume.extent.bbox] as InspectedLayer['bbox'] & {} }),
    isBboxEstimated: volume?.extent !== undefined && !volume.extent.isExact,
    verticalDatum: 'ellipsoid of WGS 84 (EPSG:4979)',
    fields: [...described, ...unseen.map((name) => ({ name, type: 'json', examples: [] }))].map((field) =>
      withRange(field, tileset.properties[field.name]),
    ),
    details: {
      content: isPoints ? 'points' : 'meshes',
      tiles: walk.tiles,
      levels: walk.deepest,
      contents: walk.contents,
      contentTypes: sample.types,
      ...(sample.external > 0 && { externalTilesets: sample.external }),
      ...(tileset.geometricError !== undefined && { geometricError: tileset.geometricError }),
      ...(asObject(tileset.root)?.['geometricError'] !== undefined && {
        rootGeometricError: asObject(tileset.root)!['geometricError'],
      }),
      refine: [...walk.refinements],
      ...(volume && { boundingVolume: volume.shape }),
      ...(volume?.extent && { heightRange: volume.extent.heights }),
      ...(implicit && { implicitTiling: implicit }),
      ...(tileset.tilesetVersion !== undefined && { tilesetVersion: tileset.tilesetVersion }),
      ...(tileset.classes.size > 0 && { metadataClasses: [...tileset.classes.keys()] }),
      extensionsUsed: tileset.extensionsUsed.slice(0, 50),
      extensionsRequired: tileset.extensionsRequired.slice(0, 50),
      ...(path.includes('/') && { path }),
    },
  };
}

/** @param property its entry in the `properties` of a tileset of 3D Tiles 1.0 */
function withRange(field: InspectedField, property: unknown): InspectedField {
  const range = asObject(property);
  const [min, max] = [asNumber(range?.['minimum']), asNumber(range?.['maximum'])];
  if (min === undefined || max === undefined || min > max) return field;
  return { ...field, ...(field.type === 'json' && { type: 'number' }), range: { min, max } };
}

function useOf({ tileset, volume, sample, walk }: InspectedTileset): InspectionUse {
  const use = { kind: 'datasource' as const, type: 'tileset' };
  const lacks =
    unsupportedTilesetExtensions(tileset.extensionsRequired).length +
    unsupportedGltfExtensions([...sample.gltfRequired]).length;
  if (lacks > 0)
    return {
      ...use,
      confidence: 0.1,
      reason: 'The viewer does not support an extension that the tileset requires',
    };
  if (walk.contents === 0 && walk.implicit.length === 0)
    return { ...use, confidence: 0.1, reason: 'It has no contents' };
  if (volume?.extent === undefined)
    return { ...use, confidence: 0.3, reason: 'It can be shown once it has a place on earth' };
  if (sample.missing > 0)
    return { ...use, confidence: 0.5, reason: 'It can be shown, but some of its tiles are missing' };
  return { ...use, confidence: 0.95, reason: 'It is a 3D tileset, which the viewer shows as it is' };
}
