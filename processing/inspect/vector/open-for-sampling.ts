import { openSources } from '@platen/formats/open/open-sources';
import type { Source } from '@platen/formats/source/source';
import { recogniseFile, type UploadedFile } from '@platen/formats/open/unpack-upload';

export interface OpenedSources {
  readonly sources: readonly Source[];
  /** Size of the whole file relative to what was opened: above 1 if only the beginning was. */
  readonly scale: number;
}

interface Options {
  readonly scratchFolder: string;
  readonly signal: AbortSignal;
  /** Number of bytes available; by default the whole file. */
  readonly bytes?: number;
  readonly isFolder: boolean;
  /** See InspectionContext. */
  readonly memoryBytes: number;
}

/** Opening a table reads all of it to find where its rows begin, so only a part is opened. */
const maxTableBytes = 16 << 20;
const minPartBytes = 1 << 20;
const maxParts = 256;
/** Formats that can be read from their beginning alone. */
const readInOrder = new Set(['csv', 'geojson']);
/** Formats that are read as a whole, and what a byte of them takes in memory. */
const readAsWhole: ReadonlyMap<string, number> = new Map([['topojson', 12]]);

/**
 * Opens a file for sampling, divided into small parts so that several can be read. Returns undefined if the available
 * part is too small for its format, or the file too large for the memory. @throws SourceError
 */
export async function openForSampling(
  file: UploadedFile,
  { bytes = file.size, ...options }: Options,
): Promise<OpenedSources | undefined> {
  const isPart = bytes < file.size;
  const format = options.isFolder ? undefined : await formatOf(file);
  if (file.size * (readAsWhole.get(format ?? '') ?? 0) > options.memoryBytes) return undefined;
  if (isPart && !readInOrder.has(format ?? '')) return undefined;
  const size = format === 'csv' ? Math.min(bytes, maxTableBytes) : bytes;
  const partBytes = Math.max(minPartBytes, Math.ceil(size / maxParts));
  const sources = await openSources({ ...file, size }, { ...options, partBytes });
  return { sources, scale: size === 0 ? 1 : file.size / size };
}

/** The format of a file that is not an archive; undefined if it cannot be read. */
export async function formatOf(file: UploadedFile): Promise<string | undefined> {
  const { recognised } = await recogniseFile({ related: {}, ...file });
  return recognised.is === 'data' ? recognised.format : undefined;
}
