import type { DatasourceType } from '@platen/contract/datasource-types';
import type { FreeForm } from '@platen/contract/schema';
import { dataOf, type Data, type DataFile, type DataHost, type DataInput } from './data.ts';
import { checkTerrainArchive } from './terrain.ts';
import { checkFlatGeobuf } from './flatgeobuf.ts';
import { checkCog } from './geotiff.ts';
import { checkGeoJson, checkObliqueImages, checkTileset, readJson } from './json.ts';
import { UnusableData, type ReadAt } from './refused.ts';
import { checkSceneLayer } from './scene-layer.ts';
import { checkRasterTiles, checkVectorTiles } from './tiles.ts';

export interface CheckInput extends DataInput {
  readonly type: Exclude<DatasourceType, 'generic'>;
  readonly typeProperties: FreeForm;
}

/**
 * Checks by a few reads that data is of its type and can be shown by the viewer, also inside an archive.
 * @returns what is wrong and how to fix it; undefined for usable data @throws ArchiveError, BytesError
 */
export async function parse(input: CheckInput, host: DataHost): Promise<string | undefined> {
  try {
    await checks[input.type](await dataOf(input, host), input.typeProperties);
    return undefined;
  } catch (error) {
    if (error instanceof UnusableData) return error.message;
    throw error;
  }
}

function requireFile({ file, kind }: Data, what: string, advice = ''): DataFile {
  if (kind !== undefined)
    throw new UnusableData(
      `A ${what} is served by itself, not from inside an archive: upload it unpacked${advice}.`,
    );
  if (file) return file;
  throw new UnusableData(`The key names a folder: name the ${what} itself.`);
}

async function requireMember(data: Data, path: string): Promise<DataFile> {
  if (data.kind === 'pmtiles' || data.kind === 'mbtiles')
    throw new UnusableData(`A file of tiles cannot be served as this type: it holds no ${path}.`);
  const file = data.file ?? (await data.find(path));
  if (file) return file;
  throw new UnusableData(`There is no ${path} in the ${data.container}.`);
}

async function checkTilesetFolder(data: Data): Promise<void> {
  const entry = await requireMember(data, 'tileset.json');
  await checkTileset(entry.path, readOf(entry), entry.bytes.size);
}

async function checkTerrain(data: Data): Promise<void> {
  if (data.file && data.kind === 'pmtiles') return checkTerrainArchive(readOf(data.file));
  const layer = (await data.find('layer.json')) ?? (await requireMember(data, 'layer.json'));
  if (!/(^|\/)layer\.json$/.test(layer.path))
    throw new UnusableData('Name the folder that holds layer.json, or a zip file of it.');
  await readJson(layer.path, readOf(layer), layer.bytes.size);
  for (const root of ['0/0/0.terrain', '0/1/0.terrain']) {
    if (await data.find(root)) continue;
    throw new UnusableData(
      `The root tile ${root} is missing, without which the viewer shows no globe at all: make terrain that covers both root tiles 0/0/0 and 0/1/0.`,
    );
  }
}

async function checkImagesJson(data: Data): Promise<void> {
  const entry = await requireMember(data, 'image.json');
  await checkObliqueImages(entry.path, readOf(entry), entry.bytes.size);
}

function readOf({ bytes }: DataFile): ReadAt {
  return (offset, length) => bytes.read(offset, length);
}

const orConvert = ', or make a datasource of it with a job of the type platenConvertVector';

const checks: Readonly<
  Record<Exclude<DatasourceType, 'generic'>, (data: Data, options: FreeForm) => Promise<void>>
> = {
  tileset: checkTilesetFolder,
  tilesetupdate: checkTilesetFolder,
  geojson: async (data, options) =>
    checkGeoJson(readOf(requireFile(data, 'GeoJSON file', orConvert)), options['projection'] !== undefined),
  oblique: checkImagesJson,
  qmesh: checkTerrain,
  meshinmesh: checkTerrain,
  wms: async () => {
    throw new UnusableData('A web map service is never a file: register it with an external source.');
  },
  wmts: (data, options) => checkRasterTiles(data, options, false),
  tms: (data, options) => checkRasterTiles(data, options, true),
  cog: async (data) => checkCog(readOf(requireFile(data, 'GeoTIFF'))),
  flatgeobuf: async (data) => checkFlatGeobuf(readOf(requireFile(data, 'FlatGeobuf file', orConvert))),
  i3s: checkSceneLayer,
  vectortiles: checkVectorTiles,
  panorama: async (data) => checkFlatGeobuf(readOf(await requireMember(data, 'images.fgb'))),
};
