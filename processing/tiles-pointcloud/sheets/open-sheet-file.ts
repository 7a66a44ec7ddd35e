import { readFile, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { openFileSync } from '@platen/formats/bytes/open-file-sync';
import { openPoints, type OpenPointsOptions } from '@platen/formats/points/open-points';
import type { PointFile } from '@platen/formats/points/point-file';
import { openPointTiles, type TilesetFiles } from '@platen/formats/points/tiles/open-point-tiles';
import { openZip } from '@platen/formats/zip/open-zip';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { unpackMeshopt } from '@platen/formats/mesh/unpack-meshopt';

export interface OpenSheetFile {
  readonly points: PointFile;
  close(): Promise<void>;
}

const tilesetName = 'tileset.json';
/** Tiles are read whole. */
const maxFileBytes = 512 << 20;

/** Where a tileset among inputs is opened: its archive, or the tileset.json of its folder. Undefined of other files and folders. */
export async function tilesetPathOf(path: string): Promise<string | undefined> {
  if ((await stat(path)).isDirectory()) {
    const own = join(path, tilesetName);
    const isThere = await stat(own).then(
      (found) => found.isFile(),
      () => false,
    );
    return isThere ? own : undefined;
  }
  const file = openFileSync(path);
  try {
    if (!(await isZip(file))) return undefined;
    const zip = await openZip(file);
    return (await zip.find(zip.topFolder + tilesetName)) && path;
  } finally {
    await file.close();
  }
}

/** Opens a file of points, or a tileset of points where `tilesetPathOf` says. @throws BytesError if it is none, or damaged */
export async function openSheetFile(path: string, options: OpenPointsOptions): Promise<OpenSheetFile> {
  const file = openFileSync(path);
  try {
    const files = await filesOfTileset(path, file, options.scan !== undefined);
    const points =
      files === undefined ? await openPoints(file, options) : await openTiles(files, options.scan);
    return { points, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openTiles(files: TilesetFiles, scan: unknown): Promise<PointFile> {
  await MeshoptDecoder.ready;
  return openPointTiles(files, { scan, unpack: unpackMeshopt });
}

/** @param isKnown sizes are not needed */
async function filesOfTileset(
  path: string,
  file: Bytes,
  isKnown: boolean,
): Promise<TilesetFiles | undefined> {
  if (path.endsWith(sep + tilesetName)) return filesOfFolder(dirname(path), isKnown);
  return (await isZip(file)) ? filesOfArchive(file, isKnown) : undefined;
}

async function filesOfFolder(folder: string, isKnown: boolean): Promise<TilesetFiles> {
  const sizes = new Map<string, number>();
  for (const entry of isKnown ? [] : await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    sizes.set(relative(folder, path).replaceAll(sep, '/'), (await stat(path)).size);
  }
  return {
    async read(path) {
      const { size } = await stat(join(folder, path));
      requireSize(path, size);
      return readFile(join(folder, path));
    },
    sizeOf: (path) => sizes.get(path),
  };
}

async function filesOfArchive(file: Bytes, isKnown: boolean): Promise<TilesetFiles> {
  const zip = await openZip(file);
  const sizes = new Map<string, number>();
  if (!isKnown) for await (const { name, size } of zip.list()) sizes.set(name, size);
  return {
    async read(path) {
      const member = await zip.find(zip.topFolder + path);
      const content = member && (await zip.open(member));
      requireSize(path, content?.size ?? 0);
      return content?.read(0, content.size);
    },
    sizeOf: (path) => sizes.get(zip.topFolder + path),
  };
}

function requireSize(path: string, size: number): void {
  if (size > maxFileBytes) throw new BytesError(`${path} has ${size} bytes, which is too large for a tile`);
}

async function isZip(file: Bytes): Promise<boolean> {
  return Buffer.from(await file.read(0, 4)).toString('latin1') === 'PK\x03\x04';
}
