import type { InspectedLayer, InspectionUse } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { unpackedBytes } from '@platen/formats/bytes/unpacked-bytes';
import { asObject } from '@platen/formats/json/read-values';
import { parseAt } from '@platen/formats/json/scan-members';
import { rootVolume, type RootVolume } from '@platen/formats/tiles-3d/bounding-volume';
import { readTileset, type Tileset } from '@platen/formats/tiles-3d/tileset';
import { walkTiles, type TileWalk } from '@platen/formats/tiles-3d/walk-tiles';
import type { Finding, Inspecting, Subject } from '../inspector.ts';
import { lackingGltfExtensions, lackingTilesetExtensions } from '../mesh/viewer-extensions.ts';
import { layerTitle } from '../place/layer-title.ts';
import { createFieldSample } from '../sample-fields.ts';
import { drawTiles } from './draw-tiles.ts';
import { lookAtContents, type SeenContents } from './look-at-contents.ts';

const longestJson = 128 << 20;
const about = { format: '3dtiles', formatTitle: '3D Tiles' };
const knownVersions = new Set(['0.0', '1.0', '1.1']);

/** @param path of its tileset.json within the subject */
export async function describeTileset(
  subject: Subject,
  path: string,
  inspecting: Inspecting,
): Promise<Finding> {
  const { issues } = inspecting;
  const tileset = await readJson(subject, path, inspecting);
  if (tileset?.root === undefined) {
    if (tileset !== undefined)
      issues.add('brokenFile', `${path} has no root tile: nothing can be shown of it.`);
    return { ...about, kind: 'tileset', layers: [], uses: [] };
  }
  const volume = rootVolume(tileset.root);
  const walk = walkTiles(tileset.root);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const seen = await lookAtContents(subject, walk, { folder, inspecting });
  tellFaults({ tileset, walk, volume, seen, path }, inspecting);
  const thumbnail = await drawTiles(seen, { tileset, walk, isOver: inspecting.isOver });
  return {
    ...about,
    ...(tileset.version !== undefined && { formatVersion: tileset.version }),
    kind: 'tileset',
    layers: [layerOf(subject, { tileset, walk, volume, seen, path })],
    uses: [useOf({ tileset, walk, volume, seen, path })],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

interface Seen {
  readonly tileset: Tileset;
  readonly walk: TileWalk;
  readonly volume: RootVolume | undefined;
  readonly seen: SeenContents;
  readonly path: string;
}

async function readJson(
  subject: Subject,
  path: string,
  { issues }: Inspecting,
): Promise<Tileset | undefined> {
  try {
    const bytes = await unpackedBytes((await subject.find(path))!, longestJson);
    if (bytes.size > longestJson) {
      const message = `${path} has ${bytes.size} bytes, which is more than is read of it: divide it into several tileset.json.`;
      issues.add('tooLarge', message);
      return undefined;
    }
    const text = await bytes.read(0, bytes.size);
    const value = parseAt(text, text[0] === 0xef ? 3 : 0, text.length);
    const tileset = readTileset(value);
    if (tileset === undefined) {
      const message =
        value === undefined
          ? 'is no valid JSON: it is damaged or cut off. Upload it again'
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

function tellFaults({ tileset, walk, volume, seen, path }: Seen, { issues }: Inspecting): void {
  if (tileset.version === undefined || !knownVersions.has(tileset.version)) {
    const saying =
      tileset.version === undefined ? 'does not say its version' : `is of version ${tileset.version}`;
    issues.add('unknownVersion', `${path} ${saying}: 3D Tiles 1.0 and 1.1 are known.`);
  }
  if (volume?.extent === undefined && (volume === undefined || /^(?:region|box|sphere)$/.test(volume.shape)))
    issues.add(
      'noPlace',
      `The root of ${path} lies nowhere on earth: it needs a transform that moves it from its own coordinates to geocentric ones (EPSG:4978).`,
    );
  if (walk.broken > 0)
    issues.add('brokenTile', `${path} has tiles without a bounding volume, or that are none.`, walk.broken);
  if (walk.isCutOff) issues.add('manyTiles', `${path} has more tiles than are told of here.`);
  if (walk.contents === 0 && walk.implicit.length === 0)
    issues.add('noFeatures', `${path} has no tile with a content: nothing will be seen.`);
  const lacking = [
    ...lackingTilesetExtensions(tileset.extensionsRequired),
    ...lackingGltfExtensions([...seen.gltfRequired]),
  ];
  if (lacking.length > 0)
    issues.add(
      'unsupportedExtension',
      `${path} requires extensions that the viewer lacks: ${lacking.join(', ')}.`,
    );
}

const pointTypes = new Set(['pnts', 'glb (points)']);

function layerOf(subject: Subject, { tileset, walk, volume, seen, path }: Seen): InspectedLayer {
  const fields = createFieldSample();
  for (const properties of seen.attributes) fields.see(properties);
  const named = [
    ...Object.keys(tileset.properties),
    ...[...tileset.classes.values()].flat(),
    ...seen.classProperties,
  ];
  const described = fields.describe([]);
  const known = new Set(described.map(({ name }) => name));
  const unseen = [...new Set(named)].filter((name) => !known.has(name)).slice(0, 500);
  const types = Object.keys(seen.types);
  const isPoints = types.length > 0 && types.every((type) => pointTypes.has(type) || type === 'json');
  const name = path.includes('/') ? path.split('/').at(-2)! : subject.name;
  const [implicit] = walk.implicit;
  return {
    name: layerTitle(name),
    geometryTypes: types.length === 0 ? [] : [isPoints ? 'Point' : 'Triangle'],
    featureCount: walk.tiles,
    isEstimated: walk.isCutOff || implicit !== undefined || seen.external > 0,
    crs: { code: 'EPSG:4978', name: 'WGS 84 (geocentric)', isGuessed: false },
    ...(volume?.extent && { bbox: [...volume.extent.bbox] as InspectedLayer['bbox'] & {} }),
    isBboxEstimated: volume?.extent !== undefined && !volume.extent.isExact,
    verticalDatum: 'ellipsoid of WGS 84 (EPSG:4979)',
    fields: [...described, ...unseen.map((name) => ({ name, type: 'json', examples: [] }))],
    details: {
      content: isPoints ? 'points' : 'meshes',
      tiles: walk.tiles,
      levels: walk.deepest,
      contents: walk.contents,
      contentTypes: seen.types,
      ...(seen.external > 0 && { externalTilesets: seen.external }),
      ...(tileset.geometricError !== undefined && { geometricError: tileset.geometricError }),
      ...(asObject(tileset.root)?.['geometricError'] !== undefined && {
        rootGeometricError: asObject(tileset.root)!['geometricError'],
      }),
      refine: [...walk.refinements],
      ...(volume && { boundingVolume: volume.shape }),
      ...(volume?.extent && { heights: volume.extent.heights }),
      ...(implicit && { implicitTiling: implicit }),
      ...(tileset.tilesetVersion !== undefined && { tilesetVersion: tileset.tilesetVersion }),
      ...(tileset.classes.size > 0 && { metadataClasses: [...tileset.classes.keys()] }),
      extensionsUsed: tileset.extensionsUsed.slice(0, 50),
      extensionsRequired: tileset.extensionsRequired.slice(0, 50),
      ...(path.includes('/') && { path }),
    },
  };
}

function useOf({ tileset, volume, seen, walk }: Seen): InspectionUse {
  const use = { kind: 'datasource' as const, type: 'tileset' };
  const lacks =
    lackingTilesetExtensions(tileset.extensionsRequired).length +
    lackingGltfExtensions([...seen.gltfRequired]).length;
  if (lacks > 0)
    return { ...use, confidence: 0.1, reason: 'The viewer lacks an extension that the tileset requires' };
  if (walk.contents === 0 && walk.implicit.length === 0)
    return { ...use, confidence: 0.1, reason: 'It has no contents' };
  if (volume?.extent === undefined)
    return { ...use, confidence: 0.3, reason: 'It can be shown once it has a place on earth' };
  if (seen.missing > 0)
    return { ...use, confidence: 0.5, reason: 'It can be shown, but some of its tiles are missing' };
  return { ...use, confidence: 0.95, reason: 'It is a 3D tileset, which the viewer shows as it is' };
}
