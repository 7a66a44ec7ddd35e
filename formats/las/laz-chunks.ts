import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly, viewOf } from '../bytes/read-exactly.ts';
import { ArithmeticDecoder } from './decode/arithmetic-decoder.ts';
import { IntegerDecoder } from './decode/integer-decoder.ts';
import { ModelArena } from './decode/model-arena.ts';
import type { LasHeader } from './read-header.ts';

/** Points that are compressed together. */
export interface Chunk {
  readonly offset: number;
  readonly length: number;
  readonly points: number;
  /** Whether layers have version 4, which LAZ of LAS 1.5 has. */
  readonly isVersion4?: boolean;
}

export interface LazSettings extends Pick<Chunk, 'isVersion4'> {
  /** Points; undefined: each chunk has its own number. */
  readonly chunkSize: number | undefined;
  readonly isChunked: boolean;
  /** `3.4 r3` */
  readonly version: string;
  /** Why points cannot be decoded: how they are compressed. */
  readonly fault: CompressionFault | undefined;
}

type CompressionFault = 'old' | 'newer';

/** What to do about each, behind a colon. */
export const compressionAdvice: Readonly<Record<CompressionFault, string>> = {
  old: 'it was compressed by an old version of LAZ; compress it again, such as by laszip or pdal translate',
  newer: 'it was compressed by a newer version of LAZ; write it again as LAZ of version 4',
};

const variable = 0xffff_ffff;
const unchunked = 1;
/** Chunks of layers, the newest way. */
const layered = 3;
/** The types of items of the formats 0 to 5. */
const pointwiseTypes = new Set([0, 6, 7, 8]);
const waveType = 9;

/** The record `laszip encoded`. */
export function decodeLazSettings(record: Uint8Array): LazSettings {
  if (record.length < 34) throw new BytesError('its LAZ record is damaged');
  const view = viewOf(record);
  const size = view.getUint32(12, true);
  const items = itemsOf(record);
  const isVersion4 = items.some(({ version }) => version === 4);
  const [compressor, coder] = [view.getUint16(0, true), view.getUint16(2, true)];
  return {
    ...(isVersion4 && { isVersion4 }),
    chunkSize: size === variable ? undefined : size,
    isChunked: compressor > unchunked,
    fault: compressor > layered || coder !== 0 ? 'newer' : compressor <= unchunked ? 'old' : faultOf(items),
    version: `${view.getUint8(4)}.${view.getUint8(5)} r${view.getUint16(6, true)}`,
  };
}

interface Item {
  readonly type: number;
  readonly version: number;
}

function faultOf(items: readonly Item[]): CompressionFault | undefined {
  for (const { type, version } of items) {
    if (type === waveType) continue;
    const [lowest, highest] = pointwiseTypes.has(type) ? [2, 2] : [3, 4];
    if (version < lowest) return 'old';
    if (version > highest) return 'newer';
  }
  return undefined;
}

/** What a point consists of, and in which version each is compressed. @param record at least 34 bytes */
function itemsOf(record: Uint8Array): Item[] {
  const view = viewOf(record);
  const count = Math.min(view.getUint16(32, true), Math.floor((record.length - 34) / 6));
  return Array.from({ length: count }, (_, i) => ({
    type: view.getUint16(34 + i * 6, true),
    version: view.getUint16(38 + i * 6, true),
  }));
}

const maxChunks = 4_000_000;
const maxTableBytes = 64 << 20;
/** A longer chunk is implausible. */
const maxChunkBytes = 1 << 30;

/**
 * Reads the chunks of a LAZ file from the table behind them, whose offset precedes them.
 * @throws BytesError if it is damaged, or its writer could not go back to write it
 */
export async function readChunks(
  bytes: Bytes,
  header: LasHeader,
  { chunkSize, isVersion4 }: LazSettings,
): Promise<Chunk[]> {
  const { pointOffset, pointCount } = header;
  const long = async (offset: number) =>
    Number(viewOf(await readExactly(bytes, offset, 8)).getBigInt64(0, true));
  const first = await long(pointOffset);
  const tableOffset = first === -1 ? await long(bytes.size - 8) : first;
  if (tableOffset <= pointOffset || tableOffset + 8 > bytes.size)
    throw new BytesError('its chunk table is missing, so it was probably not written completely');
  const count = viewOf(await readExactly(bytes, tableOffset, 8)).getUint32(4, true);
  const rest = Math.min(maxTableBytes, bytes.size - tableOffset - 8);
  // a number takes about a bit at least
  if (count > maxChunks || count > rest * 64 + 64) throw new BytesError('its chunk table is damaged');
  const table = await bytes.read(tableOffset + 8, Math.min(rest, count * 16 + 64));
  const models = new ModelArena();
  const decoder = new ArithmeticDecoder(models);
  decoder.start(table, 0, table.length);
  const numbers = new IntegerDecoder(models, 32, 2);
  const chunks: Chunk[] = [];
  let [offset, left, points, length] = [pointOffset + 8, pointCount, 0, 0];
  for (let i = 0; i < count; i++) {
    if (chunkSize === undefined) points = numbers.read(decoder, points, 0);
    length = numbers.read(decoder, length, 1);
    const held = chunkSize === undefined ? points : Math.min(chunkSize, left);
    if (!(length > 0 && length < maxChunkBytes) || held < 0 || offset + length > tableOffset)
      throw new BytesError('its chunk table is damaged');
    chunks.push({ offset, length, points: held, ...(isVersion4 && { isVersion4 }) });
    offset += length;
    left -= held;
  }
  return chunks;
}
