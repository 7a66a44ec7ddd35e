import type { DatasourceType } from '@platen/contract/datasource-types';
import type { InternalSource } from '@platen/contract/datasources';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { ArchiveError, tileType } from '@platen/geo/pmtiles/header';
import type { Context } from '../../context.ts';
import { unusableAt } from '../../failure.ts';
import { usableKey } from '../../objects/key.ts';
import { findFilesAfter, findObject, type ObjectFile } from '../../objects/store.ts';
import { isArchive } from '../address.ts';
import type { Place } from '../place.ts';
import { checkFlatGeobuf } from './flatgeobuf.ts';
import { checkCog } from './geotiff.ts';
import { checkGeoJson, checkTileset, readJson } from './json.ts';
import { Refused, type ReadAt } from './refused.ts';

const pointer = '/sourceProperties/dataBucketKey';

/** What a check may look at: the file of the key, and those of its folder by their path in it. */
interface Data {
  readonly file: ObjectFile | undefined;
  read(file: ObjectFile): ReadAt;
  find(path: string): Promise<ObjectFile | undefined>;
  /** Some files of the folder, in the order of their keys. */
  some(): Promise<ObjectFile[]>;
}

/**
 * Looks cheaply whether the data is what its type says and what the viewer can show.
 * @throws Failure `unusable_reference` that says what is wrong and what mends it
 */
export async function checkData(
  context: Context,
  type: DatasourceType,
  place: Place,
  source: InternalSource,
): Promise<void> {
  const data = await dataOf(context, place, source);
  try {
    await checks[type](data);
  } catch (error) {
    if (error instanceof Refused) throw unusableAt(pointer, error.message);
    if (error instanceof ArchiveError)
      throw unusableAt(pointer, `The PMTiles archive is not usable: ${error.message}.`);
    throw error;
  }
}

async function dataOf({ db, store }: Context, place: Place, source: InternalSource): Promise<Data> {
  const { bucketId, servedFolder } = place;
  const find = async (path: string) => {
    const key = usableKey(`${servedFolder ?? ''}${path}`);
    return key === undefined || servedFolder === null ? undefined : findObject(db, bucketId, key);
  };
  const suffix = source.urlSuffix?.replace(/^\//, '').split('?')[0];
  return {
    // what the suffix names is what clients read
    file: place.file ?? (suffix && !suffix.includes('{') ? await find(suffix) : undefined),
    read: (file) => async (offset, length) =>
      (await store.read(file.blobId, { offset, length })) ?? new Uint8Array(0),
    find,
    some: async () =>
      servedFolder === null
        ? []
        : findFilesAfter(db, bucketId, { prefix: servedFolder, after: '', limit: 200 }),
  };
}

function requireFile({ file }: Data, what: string): ObjectFile {
  if (file) return file;
  throw new Refused(`The key names a folder: name the ${what} itself.`);
}

async function requireMember(data: Data, path: string): Promise<ObjectFile> {
  const file = data.file ?? (await data.find(path));
  if (file) return file;
  throw new Refused(`There is no ${path} in the folder.`);
}

/** For clients that were given the packed form, which is not served. */
function refusePacked({ file }: Data, extensions: RegExp): void {
  if (file && extensions.test(file.key))
    throw new Refused('Packed files of this kind are not served: upload the unpacked folder and name it.');
}

async function checkTilesetFolder(data: Data): Promise<void> {
  refusePacked(data, /\.(3tz|zip|slpk)$/i);
  const entry = await requireMember(data, 'tileset.json');
  await checkTileset(entry.key, data.read(entry), entry.size);
}

async function checkTerrain(data: Data): Promise<void> {
  refusePacked(data, /\.(zip|tar|gz|mbtiles)$/i);
  const layer = (await data.find('layer.json')) ?? requireFile(data, 'folder with layer.json');
  if (!/(^|\/)layer\.json$/.test(layer.key)) throw new Refused('Name the folder that holds layer.json.');
  await readJson(layer.key, data.read(layer), layer.size);
  for (const root of ['0/0/0.terrain', '0/1/0.terrain']) {
    if (await data.find(root)) continue;
    throw new Refused(
      `The root tile ${root} is missing, without which the viewer shows no globe at all: make terrain that covers both root tiles 0/0/0 and 0/1/0.`,
    );
  }
}

async function checkTiles(data: Data, kind: 'vector' | 'raster', member: RegExp): Promise<void> {
  const { file } = data;
  if (file && isArchive(file.key)) {
    const { header } = await openArchive(data.read(file));
    if ((header.tileType === tileType.mvt) === (kind === 'vector')) return;
    throw new Refused(`The PMTiles archive holds no ${kind} tiles.`);
  }
  if (file && /\.(json|xml)$/.test(file.key)) return;
  if (file)
    throw new Refused(
      `Name a folder of ${kind} tiles or a PMTiles archive; of vectors the job type platenTilesVector makes one.`,
    );
  const members = await data.some();
  if (members.some(({ key }) => member.test(key))) return;
  throw new Refused(`There are no ${kind} tiles named {z}/{x}/{y} in the folder.`);
}

async function checkImagesJson(data: Data): Promise<void> {
  const entry = await requireMember(data, 'image.json');
  await readJson(entry.key, data.read(entry), entry.size);
}

const vectorTile = /(^|\/)\d+\/\d+\/\d+\.(pbf|mvt)$|\/style\.json$/;
const rasterTile = /(^|\/)\d+\/\d+\/\d+\.(png|jpe?g|webp)$/;

const checks: Readonly<Record<DatasourceType, (data: Data) => Promise<void>>> = {
  tileset: checkTilesetFolder,
  tilesetupdate: checkTilesetFolder,
  geojson: async (data) => checkGeoJson(data.read(requireFile(data, 'GeoJSON file'))),
  oblique: checkImagesJson,
  qmesh: checkTerrain,
  meshinmesh: checkTerrain,
  wms: async () => {
    throw new Refused('A web map service is never a file: register it with an external source.');
  },
  wmts: (data) => checkTiles(data, 'raster', rasterTile),
  tms: (data) => checkTiles(data, 'raster', rasterTile),
  cog: async (data) => checkCog(data.read(requireFile(data, 'GeoTIFF'))),
  flatgeobuf: async (data) => checkFlatGeobuf(data.read(requireFile(data, 'FlatGeobuf file'))),
  i3s: async (data) => refusePacked(data, /\.(slpk|zip)$/i),
  vectortiles: (data) => checkTiles(data, 'vector', vectorTile),
  generic: async () => {},
  panorama: async (data) => {
    const images = await requireMember(data, 'images.fgb');
    await checkFlatGeobuf(data.read(images));
  },
};
