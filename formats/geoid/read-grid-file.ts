import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { geoidOfGridName } from '../crs/geoid-names.ts';
import { isTiff } from '../geotiff/read-tiff.ts';
import type { GeoidGrid } from './geoid-grid.ts';
import type { GeoidBox } from './grid-window.ts';
import { readGeoTiffGrid, readGridCode } from './read-geotiff-grid.ts';
import { readGtx } from './read-gtx.ts';

/** A grid of somebody's own: a GeoTIFF in the form of PROJ's grids, or a .gtx of NOAA. */
export interface GridFile {
  /** For messages, and for the heights that a .gtx is for. */
  readonly name: string;
  readonly bytes: Bytes;
}

/** @param box what is needed of it @throws BytesError */
export async function readGridFile({ name, bytes }: GridFile, box?: GeoidBox): Promise<GeoidGrid> {
  if (isTiff(await bytes.read(0, 4))) return readGeoTiffGrid(bytes, box);
  if (/\.gtx$/i.test(name)) return readGtx(bytes, box);
  throw new BytesError('it is neither a GeoTIFF grid as PROJ has them nor a .gtx grid');
}

/** EPSG's code of the heights that a grid is for, by the file itself or else by its name. @throws BytesError */
export async function codeOfGridFile({ name, bytes }: GridFile): Promise<string | undefined> {
  const own = isTiff(await bytes.read(0, 4)) ? await readGridCode(bytes) : undefined;
  return own ?? geoidOfGridName(name);
}
