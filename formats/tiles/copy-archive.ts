import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { decodeDirectory } from '@platen/geo/pmtiles/directory';
import { ArchiveError, compression, decodeHeader, rootSpan } from '@platen/geo/pmtiles/header';
import { tileOfId } from '@platen/geo/pmtiles/tile-id';
import type { TileSink } from './tile-sink.ts';

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** How the tiles are packed; the default is gzip. */
  readonly tileCompression?: number | undefined;
}

const tilesAtOnce = 1000;

/**
 * Hands every tile of a PMTiles archive on the disk to a sink, zoom by zoom along the Hilbert curve; `finish` is left to
 * the caller. The archive is one of our own: whole, with gzipped directories.
 * @throws ArchiveError; the signal's reason
 */
export async function copyArchive(
  path: string,
  sink: Pick<TileSink, 'addTile'>,
  { signal, onProgress, tileCompression = compression.gzip }: Options,
): Promise<void> {
  const file = openSync(path, 'r');
  try {
    const header = decodeHeader(read(file, 0, rootSpan));
    if (header.tileCompression !== tileCompression || header.internalCompression !== compression.gzip)
      throw new ArchiveError('its tiles or directories are not packed as expected');
    let done = 0;
    for (const { tileId, offset, length, runLength } of entriesOf(file, header)) {
      const bytes = read(file, header.dataOffset + offset, length);
      for (let i = 0; i < runLength; i++) {
        sink.addTile(...tileOfId(tileId + i), bytes);
        if (++done % tilesAtOnce !== 0) continue;
        await setImmediate();
        signal.throwIfAborted();
        onProgress?.(done, header.addressedTiles);
      }
    }
    onProgress?.(done, done);
  } finally {
    closeSync(file);
  }
}

interface Entry {
  readonly tileId: number;
  readonly offset: number;
  readonly length: number;
  readonly runLength: number;
}

type Header = ReturnType<typeof decodeHeader>;

function* entriesOf(
  file: number,
  header: Header,
  at = header.rootOffset,
  bytes = header.rootLength,
): Generator<Entry, void> {
  const { count, tileIds, offsets, lengths, runLengths } = decodeDirectory(gunzipSync(read(file, at, bytes)));
  for (let i = 0; i < count; i++) {
    const [offset, length, runLength] = [offsets[i]!, lengths[i]!, runLengths[i]!];
    if (runLength > 0) yield { tileId: tileIds[i]!, offset, length, runLength };
    else yield* entriesOf(file, header, header.leavesOffset + offset, length);
  }
}

function read(file: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (let got = -1; at < length && got !== 0; at += got)
    got = readSync(file, bytes, at, length - at, offset + at);
  return bytes.subarray(0, at);
}
