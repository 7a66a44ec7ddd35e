import { BytesError } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';
import type { E57Pages } from './e57-pages.ts';
import type { E57Scan } from './read-e57.ts';

/** Where the bytes of each field lie in the packets of a scan. */
export interface E57Packets {
  /** Offset of the first field's bytes in each packet. */
  readonly offsets: readonly number[];
  /** Bytes of each field before a packet, packet by packet; one more at the end. */
  readonly before: readonly Float64Array[];
  /** Bytes of a field from one offset in its stream to another. @throws BytesError */
  read(field: number, start: number, end: number): Promise<Uint8Array>;
}

const sectionHeaderBytes = 32;
const packetHeaderBytes = 6;
const [indexPacket, dataPacket, emptyPacket] = [0, 1, 2];
const sectionId = 1;

/** Goes through the heads of all packets of a scan (ASTM E2807, 9.3). @throws BytesError */
export async function listPackets(pages: E57Pages, scan: E57Scan): Promise<E57Packets> {
  const section = viewOf(await pages.read(scan.offset, sectionHeaderBytes));
  if (section.getUint8(0) !== sectionId) throw new BytesError('the section of its points is damaged');
  const fields = scan.fields.length;
  const needed = scan.fields.map(({ bits = 0 }) => Math.ceil((bits * scan.points) / 8));
  const sums = Array.from<number>({ length: fields }).fill(0);
  const before: number[][] = Array.from({ length: fields }, () => []);
  const offsets: number[] = [];
  const end = pages.after(scan.offset, Number(section.getBigUint64(8, true)));
  let at = Number(section.getBigUint64(16, true));
  while (at < end && sums.some((sum, field) => sum < needed[field]!)) {
    const head = await readHead(pages, at, fields).catch((error: unknown) => {
      // what is cut off is counted as missing
      if (error instanceof BytesError && offsets.length > 0 && error.message === 'it is cut off')
        return undefined;
      throw error;
    });
    if (head === undefined) break;
    if (head.lengths !== undefined) {
      offsets.push(pages.after(at, packetHeaderBytes + fields * 2));
      for (let field = 0; field < fields; field++) {
        before[field]!.push(sums[field]!);
        sums[field]! += head.lengths[field]!;
      }
    }
    at = pages.after(at, head.bytes);
  }
  const sumsBefore = before.map((own, field) => Float64Array.from([...own, sums[field]!]));
  return {
    offsets,
    before: sumsBefore,
    read: (field, start, stop) => readStream({ pages, offsets, before: sumsBefore }, field, [start, stop]),
  };
}

interface PacketHead {
  readonly bytes: number;
  /** Of each field; undefined of other packets than those with data. */
  readonly lengths: readonly number[] | undefined;
}

async function readHead(pages: E57Pages, at: number, fields: number): Promise<PacketHead> {
  const start = viewOf(await pages.read(at, packetHeaderBytes));
  const kind = start.getUint8(0);
  const bytes = start.getUint16(2, true) + 1;
  if (kind === indexPacket || kind === emptyPacket) return { bytes, lengths: undefined };
  const head = packetHeaderBytes + fields * 2;
  if (kind !== dataPacket || start.getUint16(4, true) !== fields || bytes < head)
    throw new BytesError('one of its packets is damaged');
  const view = viewOf(await pages.read(at, head));
  const lengths = Array.from({ length: fields }, (_, i) => view.getUint16(packetHeaderBytes + i * 2, true));
  if (lengths.reduce((sum, length) => sum + length, head) > bytes)
    throw new BytesError('one of its packets is damaged');
  return { bytes, lengths };
}

interface Streams extends Pick<E57Packets, 'offsets' | 'before'> {
  readonly pages: E57Pages;
}

async function readStream(
  { pages, offsets, before }: Streams,
  field: number,
  [start, end]: readonly [number, number],
): Promise<Uint8Array> {
  const own = before[field]!;
  // further bytes, so that the last number can be read as if others followed
  const joined = new Uint8Array(end - start + 8);
  for (let packet = packetAt(own, start); packet < offsets.length && own[packet]! < end; packet++) {
    const [first, next] = [Math.max(start, own[packet]!), Math.min(end, own[packet + 1]!)];
    if (next <= first) continue;
    let ahead = first - own[packet]!;
    for (let other = 0; other < field; other++)
      ahead += before[other]![packet + 1]! - before[other]![packet]!;
    joined.set(await pages.read(pages.after(offsets[packet]!, ahead), next - first), first - start);
  }
  return joined;
}

/** The last packet that begins at or before a byte of the stream. */
function packetAt(before: Float64Array, start: number): number {
  let [low, high] = [0, before.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (before[middle]! <= start) low = middle;
    else high = middle - 1;
  }
  // packets without bytes of this field begin there, too
  while (low > 0 && before[low]! === start && before[low - 1]! === start) low--;
  return low;
}
