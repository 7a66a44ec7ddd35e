import { BytesError } from '@platen/formats/bytes/bytes';
import { contentOf } from './content-of-file.ts';
import { openFile } from '@platen/formats/bytes/open-file';
import { unpackUpload } from '@platen/formats/open/unpack-upload';
import { recognisePoints } from '@platen/formats/points/open-points';
import type { TableColumns } from '@platen/formats/points/point-table';
import { SourceError } from '@platen/formats/source/source';
import type { HeightOptions } from '../../heights/height-options.ts';
import { withoutGeoid } from '../../heights/open-heights.ts';
import { tilesetPathOf } from './open-sheet-file.ts';
import { JobFailure, type JobContext, type JobInput } from '../../job-type.ts';

export type PointInput = Pick<JobInput, 'path' | 'name' | 'crs' | 'content'>;

interface ListOptions {
  readonly heights: HeightOptions;
  readonly columns: TableColumns | undefined;
  readonly takesTilesets?: boolean;
  /** A folder that exists, for unpacked archives. */
  readonly scratch: string;
  /** Whether it was found before that a file holds points. */
  readonly isKnown: (file: PointInput) => boolean;
}

/** The files of points among the inputs, in folders and archives, too. @throws JobFailure if an archive cannot be unpacked */
export async function listPointFiles(
  { heights, columns, takesTilesets = false, scratch, isKnown }: ListOptions,
  { inputs, signal, log }: JobContext,
): Promise<PointInput[]> {
  const files: PointInput[] = [];
  for (const input of withoutGeoid(inputs, heights)) {
    const { path, name, size, related, crs } = input;
    const tileset = await findTileset(input);
    if (tileset !== undefined) {
      if (!takesTilesets)
        throw new JobFailure(
          'notRecognised',
          `${name} is a tileset. Point clouds can be compared with it (processing.compareTo); to make tiles, use the point clouds that it was made of.`,
        );
      files.push({ path: tileset, name });
      continue;
    }
    const uploaded = { path, name, size, ...(related !== undefined && { related }) };
    const { members } = await unpackUpload(uploaded, { signal, scratch }).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
      throw new JobFailure(error.code, `${name}: ${error.message}.`, { cause: error });
    });
    for (const { file } of members) {
      const content = contentOf(input, file);
      const found = {
        path: file.path,
        name: file.name,
        ...(crs !== undefined && { crs }),
        ...(content !== undefined && { content }),
      };
      if (isKnown(found) || (await isPointFile(file.path, columns))) files.push(found);
      else log('info', `${file.name} is no point cloud.`);
    }
  }
  return files;
}

async function findTileset({ path, name }: JobInput): Promise<string | undefined> {
  try {
    return await tilesetPathOf(path);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    throw new JobFailure('brokenFile', `${name} cannot be read: ${error.message}.`, { cause: error });
  }
}

async function isPointFile(path: string, columns: TableColumns | undefined): Promise<boolean> {
  const file = await openFile(path);
  try {
    return (await recognisePoints(file, columns)) !== undefined;
  } catch (error) {
    if (error instanceof BytesError) return false;
    throw error;
  } finally {
    await file.close();
  }
}
