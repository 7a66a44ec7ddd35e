import { openSources } from '@platen/formats/source/open-sources';
import type { Source } from '@platen/formats/source/source';
import { recogniseFile, type UploadedFile } from '@platen/formats/source/unpack-upload';

export interface Opened {
  readonly sources: readonly Source[];
  /** How many times as large all of it is as what was opened: 1, or more where only the beginning was. */
  readonly scale: number;
}

interface Options {
  readonly scratchFolder: string;
  readonly signal: AbortSignal;
  /** How many of its bytes are there; all by default. */
  readonly bytes?: number;
  readonly isFolder: boolean;
}

/** Opening a table goes through all of it, as only that tells where its rows begin: a part must do. */
const longestTableBytes = 16 << 20;
const leastPartBytes = 1 << 20;
const mostParts = 256;
/** Formats of which the beginning alone can be read. */
const readInOrder = new Set(['csv', 'geojson']);

/**
 * Opens a file to take samples from it: in parts so small that several can be read. undefined: too little of it is there
 * for its format. @throws SourceError
 */
export async function openBeginning(
  file: UploadedFile,
  { bytes = file.size, ...options }: Options,
): Promise<Opened | undefined> {
  const isPart = bytes < file.size;
  const format = options.isFolder ? undefined : await formatOf(file);
  if (isPart && !readInOrder.has(format ?? '')) return undefined;
  const size = format === 'csv' ? Math.min(bytes, longestTableBytes) : bytes;
  const partBytes = Math.max(leastPartBytes, Math.ceil(size / mostParts));
  const sources = await openSources({ ...file, size }, { ...options, partBytes });
  return { sources, scale: size === 0 ? 1 : file.size / size };
}

/** The format of a file that is no archive, if we can read it. */
export async function formatOf(file: UploadedFile): Promise<string | undefined> {
  const { recognised } = await recogniseFile({ related: {}, ...file });
  return recognised.is === 'data' ? recognised.format : undefined;
}
