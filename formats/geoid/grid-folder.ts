import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BytesError } from '../bytes/bytes.ts';
import { openFile, type OpenFile } from '../bytes/open-file.ts';
import type { VerticalCrs } from '../crs/vertical-crs.ts';
import { verticalOfCode } from '../crs/vertical-wkt.ts';
import type { GeoidGrid } from './geoid-grid.ts';
import type { GeoidBox } from './grid-window.ts';
import { codeOfGridFile, readGridFile } from './read-grid-file.ts';

/** A grid of a folder, or why none of it can be used. */
export interface FolderGrid {
  readonly name: string;
  readonly grid?: GeoidGrid;
  readonly fault?: string;
}

const maxFiles = 500;

/**
 * The first grid of a folder, by name, that is made for the heights and covers the box.
 * @returns undefined where there is none; only a fault where there is one that cannot be used
 */
export async function openFolderGrid(
  folder: string,
  vertical: VerticalCrs,
  box?: GeoidBox,
): Promise<FolderGrid | undefined> {
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => /\.(?:tiff?|gtx)$/i.test(name)).toSorted();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return { name: folder, fault: `the folder of PLATEN_GEOIDS cannot be read: ${code}` };
  }
  let faulty: FolderGrid | undefined;
  for (const name of names.slice(0, maxFiles)) {
    const result = await tryGrid(join(folder, name), name, { vertical, box });
    if (result?.grid !== undefined) return result;
    faulty ??= result;
  }
  return faulty;
}

async function tryGrid(
  path: string,
  name: string,
  { vertical, box }: { readonly vertical: VerticalCrs; readonly box: GeoidBox | undefined },
): Promise<FolderGrid | undefined> {
  let file: OpenFile | undefined;
  try {
    file = await openFile(path);
    const code = await codeOfGridFile({ name, bytes: file });
    if (code === undefined || !isFor(code, vertical)) return undefined;
    return { name, grid: await readGridFile({ name, bytes: file }, box) };
  } catch (error) {
    const reason = error instanceof BytesError ? error.message : errorCode(error);
    if (reason === undefined) throw error;
    return { name, fault: `the grid ${name} cannot be used: ${reason}` };
  } finally {
    await file?.close();
  }
}

/** `EACCES` of a file that cannot be read, whose message names folders of the server. */
function errorCode(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : undefined;
}

function isFor(code: string, { code: own, datum }: VerticalCrs): boolean {
  return own === `EPSG:${code}` || (datum !== undefined && verticalOfCode(code)?.datum === datum);
}
