import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import { encodeDataDescriptor, encodeEnd, encodeLocalHeader, encodeRecord } from './encode-records.ts';
import type { RecordFields } from './encode-records.ts';
import { dataDescriptorFlag, methods } from './member-fields.ts';
import { encodeMemberName } from './encode-member-name.ts';
import { utf8Flag } from './member-name.ts';
import type { ZipMember } from './zip-member.ts';

export interface ZipEntry {
  /** With / between folders. The name of a folder ends with /. All names of an archive must differ. */
  readonly name: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
  /** `deflate` by default; what Deflate does not make smaller is stored all the same. */
  readonly packing?: 'stored' | 'deflate';
}

export interface WriteZipOptions {
  /** Called for each member before the next entry is taken: the last entries may be an index of the others. */
  readonly onMember?: (member: ZipMember) => void;
}

/** Content up to this size is held in memory, so that its sizes stand in its local header. Longer streams flow through. */
const maxHeldBytes = 1 << 20;
const chunkBytes = 1 << 18;
const fileAttributes = (0o100644 << 16) >>> 0;
const folderAttributes = ((0o040755 << 16) | 0x10) >>> 0;

const deflate = promisify(deflateRaw);

/**
 * Writes a zip file in one pass, as chunks. The same entries always give the same bytes, however a stream is divided.
 * ZIP64 is used where sizes, offsets or the number of members need it, and for streams above 1 MiB. Memory: the content
 * held for one member, and about 50 bytes and the name for each member until its directory is written at the end.
 * @throws TypeError for names that readers refuse; and whatever reading the content throws
 */
export async function* writeZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  { onMember }: WriteZipOptions = {},
): AsyncGenerator<Uint8Array> {
  const directory = createDirectory();
  let offset = 0;
  for await (const entry of entries) {
    const rawName = encodeMemberName(entry.name);
    const isFolder = entry.name.endsWith('/');
    const start = { rawName, attributes: isFolder ? folderAttributes : fileAttributes, headerOffset: offset };
    const content = await holdStart(entry.content);
    const packing = entry.packing ?? 'deflate';
    const { fields, length } = yield* content instanceof Uint8Array
      ? writeHeld(start, content, packing)
      : writeStream(start, content, packing);
    offset += length;
    directory.add(encodeRecord(fields));
    onMember?.(asMember(entry.name, fields));
  }
  yield* directory.pages();
  yield encodeEnd({ count: directory.count(), length: directory.length(), offset });
}

type MemberStart = Pick<RecordFields, 'rawName' | 'attributes' | 'headerOffset'>;
/** Yields the bytes of a member, and returns how many they were. */
type MemberChunks = AsyncGenerator<Uint8Array, { fields: RecordFields; length: number }>;

async function* writeHeld(
  start: MemberStart,
  content: Uint8Array,
  packing: 'stored' | 'deflate',
): MemberChunks {
  const deflated = packing === 'deflate' ? await deflate(content) : content;
  const isSmaller = deflated.length < content.length;
  const packed = isSmaller ? deflated : content;
  const fields: RecordFields = {
    ...start,
    flags: utf8Flag,
    method: isSmaller ? methods.deflate : methods.stored,
    crc32: crc32(content),
    packedSize: packed.length,
    size: content.length,
  };
  const header = encodeLocalHeader(fields, content.length >= 0xffffffff);
  yield header;
  if (packed.length > 0) yield packed;
  return { fields, length: header.length + packed.length };
}

async function* writeStream(
  start: MemberStart,
  content: AsyncIterable<Uint8Array>,
  packing: 'stored' | 'deflate',
): MemberChunks {
  const flags = utf8Flag | dataDescriptorFlag;
  const counted = { crc32: 0, packedSize: 0, size: 0 };
  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      counted.crc32 = crc32(chunk, counted.crc32);
      counted.size += chunk.length;
      yield chunk;
    }
  }
  const head = { ...start, flags, method: methods[packing], ...counted };
  const header = encodeLocalHeader(head, true);
  yield header;
  for await (const chunk of packing === 'deflate' ? deflateChunks(count()) : count()) {
    counted.packedSize += chunk.length;
    yield chunk;
  }
  const fields = { ...head, ...counted };
  const descriptor = encodeDataDescriptor(fields);
  yield descriptor;
  return { fields, length: header.length + counted.packedSize + descriptor.length };
}

async function* deflateChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packer = createDeflateRaw({ chunkSize: chunkBytes });
  // errors are thrown by the iteration below
  pipeline(Readable.from(chunks), packer, () => {});
  try {
    for await (const chunk of packer) yield chunk as Buffer;
  } finally {
    packer.destroy();
  }
}

/** The complete content if it is short, otherwise a stream of it. */
async function holdStart(content: ZipEntry['content']): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  if (content instanceof Uint8Array) return content;
  const chunks = content[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let length = 0;
  while (length <= maxHeldBytes) {
    const { done, value } = await chunks.next();
    if (done) return Buffer.concat(held);
    held.push(value);
    length += value.length;
  }
  return resume(held, chunks);
}

async function* resume(
  held: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* held;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function asMember(
  name: string,
  { method, size, packedSize, crc32: sum, headerOffset }: RecordFields,
): ZipMember {
  const packing = method === methods.deflate ? 'deflate' : 'stored';
  return { name, packing, size, packedSize, crc32: sum, headerOffset };
}

const pageBytes = 1 << 18;

/** Keeps the records of the directory side by side in pages: an object for each of millions would take more memory. */
function createDirectory() {
  const full: Buffer[] = [];
  let page = Buffer.alloc(0);
  let used = 0;
  let count = 0;
  let length = 0;
  return {
    add(record: Buffer): void {
      if (used + record.length > page.length) {
        full.push(page.subarray(0, used));
        page = Buffer.alloc(pageBytes);
        used = 0;
      }
      page.set(record, used);
      used += record.length;
      length += record.length;
      count++;
    },
    count: () => count,
    length: () => length,
    pages: () => [...full, page.subarray(0, used)],
  };
}
