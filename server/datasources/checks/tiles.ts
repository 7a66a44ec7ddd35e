import { openMbtiles, type Mbtiles } from '@platen/formats/mbtiles/open-mbtiles';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { Archive } from '@platen/geo/pmtiles/read-archive';
import { tileType } from '@platen/geo/pmtiles/header';
import type { FreeForm } from '@platen/contract/schema';
import type { Data } from './data.ts';
import { UnusableData } from './refused.ts';
import { checkVectorTile } from './vector-tile.ts';
import { maxTileBytes } from '../parsing/unpack-tile.ts';

const vectorTile = /(^|\/)\d+\/\d+\/\d+\.(pbf|mvt)$/;
const rasterTile = /(^|\/)\d+\/\d+\/\d+\.(png|jpe?g|webp)$/;
const imageFormats = /^(image\/)?(png|jpe?g|webp|avif)$/;
const conversionAdvice = 'of vectors, a job of the type platenTilesVector makes one';

/** Checks vector tiles in a folder or any archive. @throws UnusableData, ArchiveError, BytesError */
export async function checkVectorTiles(data: Data): Promise<void> {
  const { file, kind } = data;
  if (file && kind === 'pmtiles') {
    const archive = await openArchive((offset, length) => file.bytes.read(offset, length));
    if (archive.header.tileType !== tileType.mvt)
      throw new UnusableData('The PMTiles archive holds no vector tiles.');
    const range = await someTile(archive);
    if (range) await checkVectorTile(await file.bytes.read(range.offset, range.length));
    return;
  }
  if (file && kind === 'mbtiles') {
    const tiles = await openMbtiles(file.bytes, { maxRowBytes: maxTileBytes });
    if (imageFormats.test(tiles.format))
      throw new UnusableData('The MBTiles file holds no vector tiles, but images.');
    await checkMbtile(tiles);
    return;
  }
  if (file && /\.(json|xml)$/.test(file.path)) return;
  if (file)
    throw new UnusableData(
      `Name a folder of vector tiles, a zip file of one, or a PMTiles or MBTiles file; ${conversionAdvice}.`,
    );
  const paths = await data.some();
  const tile = paths.find((path) => vectorTile.test(path));
  if (tile === undefined && paths.some((path) => /(^|\/)style\.json$/.test(path))) return;
  if (tile === undefined)
    throw new UnusableData(`There are no vector tiles named {z}/{x}/{y} in the ${data.container}.`);
  const { bytes } = (await data.find(tile))!;
  if (bytes.size < maxTileBytes) await checkVectorTile(await bytes.read(0, bytes.size));
}

async function checkMbtile(tiles: Mbtiles): Promise<void> {
  const tile = await tiles.someTile();
  if (tile) await checkVectorTile(tile);
}

/** A tile in the middle of the bounds of the archive, of any zoom. */
async function someTile(archive: Archive) {
  const { header } = archive;
  const [west, south, east, north] = header.bounds;
  const [x, y] = [(west + east) / 720 + 0.5, mercator((south + north) / 2)];
  for (let z = header.minZoom; z <= header.maxZoom; z++) {
    const range = await archive.findTile(z, Math.floor(x * 2 ** z), Math.floor(y * 2 ** z));
    if (range) return range;
  }
  return undefined;
}

/** From 0 in the north to 1 in the south. */
function mercator(latitude: number): number {
  const sine = Math.sin((Math.min(85, Math.max(-85, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** @throws UnusableData, ArchiveError, BytesError */
export async function checkRasterTiles(data: Data, options: FreeForm, isTms: boolean): Promise<void> {
  const { file, kind } = data;
  if (file && kind === 'pmtiles') {
    const { header } = await openArchive((offset, length) => file.bytes.read(offset, length));
    if (header.tileType === tileType.mvt)
      throw new UnusableData('The PMTiles archive holds no raster tiles.');
    return;
  }
  if (file && kind === 'mbtiles') {
    const { format } = await openMbtiles(file.bytes);
    if (!imageFormats.test(format))
      throw new UnusableData(`The MBTiles file holds no raster tiles, but “${format || 'pbf'}”.`);
    return;
  }
  if (file && /\.(json|xml)$/.test(file.path)) return isTms ? requireFormat(data, options) : undefined;
  if (file)
    throw new UnusableData('Name a folder of raster tiles, a zip file of one, or a PMTiles or MBTiles file.');
  const paths = await data.some();
  if (!paths.some((path) => rasterTile.test(path)))
    throw new UnusableData(`There are no raster tiles named {z}/{x}/{y} in the ${data.container}.`);
  if (isTms) await requireFormat(data, options);
}

/** The viewer asks for tiles by the ending that `format` says. */
async function requireFormat(data: Data, { format = 'png' }: FreeForm): Promise<void> {
  const ending = rasterTile.exec((await data.some()).find((path) => rasterTile.test(path)) ?? '')?.[2];
  if (ending === undefined || ending === format) return;
  throw new UnusableData(
    `Its tiles are named .${ending}, but the viewer requests .${String(format)}: set typeProperties.format to “${ending}”.`,
  );
}
