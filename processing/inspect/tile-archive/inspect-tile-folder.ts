import { latitudeOf, longitudeOf, worldSize } from '@platen/geo/tile/world-grid';
import type { Box } from '../box.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { describeTiles, objectOf } from './describe-tiles.ts';

/** A tile in a folder. */
interface FolderTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly path: string;
  readonly size: number;
}

const maxListed = 5000;
const tilePath = /^(?:.*\/)?(\d{1,2})\/(\d{1,9})\/(\d{1,9})\.(png|jpe?g|webp|pbf|mvt)$/i;

/** Inspects a folder of tiles named {z}/{x}/{y}; undefined if there are none. */
export async function inspectTileFolder(
  subject: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  if (subject.bytes) return undefined;
  const listed = await subject.list(maxListed);
  const found = listed.flatMap(({ name, size }) => placeOf(name, size) ?? []);
  const [first] = found;
  if (!first) return undefined;
  const root = first.path.slice(0, first.path.length - tailOf(first.path).length);
  const ending = first.path.slice(first.path.lastIndexOf('.'));
  const { metadata, isTms, isSchemeDeclared } = await readDescription(subject, root);
  const { issues } = context;
  if (!isSchemeDeclared)
    issues.add(
      'unknownScheme',
      `${subject.name} does not say whether the rows of its tiles count from the north (XYZ) or from the south (TMS): XYZ is assumed. If the map appears upside down, it is TMS.`,
    );
  const isWhole = listed.length < maxListed;
  const rowOf = (z: number, y: number) => (isTms ? 2 ** z - 1 - y : y);
  const zooms = found.map(({ z }) => z);
  const [minZoom, maxZoom] = zoomsOf(metadata);
  const meanBytes = found.reduce((sum, { size }) => sum + size, 0) / found.length;
  const read = async (z: number, x: number, y: number) => {
    const file = await subject.find(`${root}${z}/${x}/${rowOf(z, y)}${ending}`);
    return file && file.size > 0 && file.size < maxTileBytes ? file.read(0, file.size) : undefined;
  };
  return describeTiles(
    {
      file: subject.name,
      format: {
        format: isTms ? 'tmsFolder' : 'tileFolder',
        formatTitle: isTms ? 'Folder of tiles (TMS)' : 'Folder of tiles (XYZ)',
      },
      minZoom: minZoom ?? Math.min(...zooms),
      maxZoom: maxZoom ?? Math.max(...zooms),
      bounds: boundsIn(metadata) ?? boundsOf(found, isTms),
      tileCount: isWhole ? found.length : Math.round(subject.size / Math.max(1, meanBytes)),
      isCountEstimated: !isWhole,
      metadata,
      details: {
        scheme: isTms ? 'tms' : 'xyz',
        ending: ending.slice(1),
        ...(root !== '' && { folder: root }),
      },
      sample: await read(first.z, first.x, rowOf(first.z, first.y)),
      read,
      rasterType: isTms ? 'tms' : 'wmts',
    },
    context,
  );
}

const maxTileBytes = 16 << 20;

function placeOf(path: string, size: number): FolderTile | undefined {
  const [, z, x, y] = tilePath.exec(path) ?? [];
  const place = { z: Number(z), x: Number(x), y: Number(y), path, size };
  return place.z <= 30 && place.x < 2 ** place.z && place.y < 2 ** place.z ? place : undefined;
}

function tailOf(path: string): string {
  return path.split('/').slice(-3).join('/');
}

interface Description {
  readonly metadata: Record<string, unknown>;
  readonly isTms: boolean;
  /** Whether a description names the scheme. */
  readonly isSchemeDeclared: boolean;
}

const jsonNames = ['metadata.json', 'tiles.json', 'tilejson.json'];
const maxTextBytes = 8 << 20;

/** Reads TileJSON or metadata.json, or GDAL's tilemapresource.xml, which only TMS has. */
async function readDescription(subject: Subject, root: string): Promise<Description> {
  const read = async (name: string) => {
    const file = await subject.find(`${root}${name}`);
    return file && file.size <= maxTextBytes
      ? new TextDecoder().decode(await file.read(0, file.size))
      : undefined;
  };
  const xml = await read('tilemapresource.xml');
  if (xml !== undefined && xml.includes('<TileMap'))
    return { metadata: parseTileMap(xml), isTms: true, isSchemeDeclared: true };
  for (const name of jsonNames) {
    const text = await read(name);
    const metadata = text === undefined ? {} : parseJson(text);
    if (Object.keys(metadata).length === 0) continue;
    const { scheme } = metadata;
    return { metadata, isTms: scheme === 'tms', isSchemeDeclared: scheme === 'tms' || scheme === 'xyz' };
  }
  return { metadata: {}, isTms: false, isSchemeDeclared: false };
}

/** Some writers put the vector layers into a JSON text in the key `json`. */
function parseJson(text: string): Record<string, unknown> {
  try {
    const value = objectOf(JSON.parse(text));
    return typeof value['json'] === 'string' ? { ...value, ...objectOf(JSON.parse(value['json'])) } : value;
  } catch {
    return {};
  }
}

/** OSGeo Tile Map Service 1.0: title and zooms. Its box may be in metres, so the bounds come from the tiles. */
function parseTileMap(xml: string): Record<string, unknown> {
  const orders = [...xml.matchAll(/\border="(\d{1,2})"/g)].slice(0, 40).map(([, order]) => Number(order));
  const title = /<Title>([^<]{0,200})<\/Title>/.exec(xml)?.[1]?.trim();
  return {
    ...(title && { name: title }),
    ...(orders.length > 0 && { minzoom: Math.min(...orders), maxzoom: Math.max(...orders) }),
  };
}

function zoomsOf({ minzoom, maxzoom }: Record<string, unknown>): (number | undefined)[] {
  return [minzoom, maxzoom].map((zoom) => {
    const value = typeof zoom === 'string' ? Number(zoom) : zoom;
    return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
  });
}

function boundsIn({ bounds }: Record<string, unknown>): Box | undefined {
  const values = typeof bounds === 'string' ? bounds.split(',').map(Number) : bounds;
  return Array.isArray(values) && values.length === 4 && values.every(Number.isFinite)
    ? (values as Box)
    : undefined;
}

/** Bounds of the listed tiles of the deepest zoom. */
function boundsOf(found: readonly FolderTile[], isTms: boolean): Box {
  const z = Math.max(...found.map((one) => one.z));
  const tiles = found.filter((one) => one.z === z);
  const tile = worldSize / 2 ** z;
  const rows = tiles.map(({ y }) => (isTms ? 2 ** z - 1 - y : y));
  const columns = tiles.map(({ x }) => x);
  return [
    longitudeOf(Math.min(...columns) * tile),
    latitudeOf((Math.max(...rows) + 1) * tile),
    longitudeOf((Math.max(...columns) + 1) * tile),
    latitudeOf(Math.min(...rows) * tile),
  ];
}
