import { promisify } from 'node:util';
import { crc32, inflateRaw, zstdDecompress } from 'node:zlib';
import type { Bytes } from '../bytes/bytes.ts';
import { openHashIndex, type HashIndex } from './hash-index.ts';
import { readLocalHeader, type LocalHeader } from './local-header.ts';
import { hasDataDescriptor, parseMember } from './member-fields.ts';
import { memberName } from './member-name.ts';
import { readRecord, readRecords } from './read-records.ts';
import { findDirectory, type DirectoryRange } from './find-directory.ts';
import { scanDirectory, type ScannedDirectory, type ZipLimits } from './scan-directory.ts';
import { ZipError } from './zip-error.ts';
import type { LocatedMember, ZipMember } from './zip-member.ts';

export interface ZipOptions extends ZipLimits {
  /** Largest packed member that `open` unpacks in memory; 64 MiB by default. */
  readonly maxInMemoryBytes?: number;
  /** Scans the directory elsewhere than in this thread. */
  readonly scan?: (directory: DirectoryRange) => Promise<ScannedDirectory>;
}

export interface ZipIndex {
  /** Number of members, folders included. */
  readonly count: number;
  /** The top folder that holds everything, ending with /; empty if there is none. */
  readonly topFolder: string;
  /** Rough size of this index in memory, in bytes. */
  readonly memory: number;
  /** The file of exactly this name; never a folder. @throws ZipError */
  find(name: string): Promise<LocatedMember | undefined>;
  /** All members including folders, in the order of the directory. @throws ZipError */
  list(): AsyncIterable<ZipMember>;
  /** Like `list`, from a position on: 0, or the `next` of a listed member. @throws ZipError */
  listFrom(position: number): AsyncIterable<{ readonly member: ZipMember; readonly next: number }>;
  /** Locates the bytes of a listed member. @throws ZipError if its local header contradicts the directory */
  locate(member: ZipMember): Promise<LocatedMember>;
  /** The content of a member, unpacked in memory if it is packed. @throws ZipError */
  open(member: ZipMember): Promise<Bytes>;
}

/** The directory's range, its tail and the objects around them. */
const minMemory = 64 * 1024;
const indexMemory = 2 * 1024 * 1024;

/**
 * Opens a zip file without reading its members. This takes three reads with the index of a 3TZ or SLPK; without one
 * the whole directory is scanned once.
 * @throws ZipError for archives that are damaged or encrypted, or would do harm when unpacked
 */
export async function openZip(bytes: Bytes, options: ZipOptions = {}): Promise<ZipIndex> {
  const directory = await findDirectory(bytes);
  const index = await openHashIndex(bytes, directory);
  let scanned: Promise<ScannedDirectory> | undefined;
  const scan = () =>
    (scanned ??= options.scan ? options.scan(directory) : scanDirectory(bytes, directory, options));
  const first = index ? undefined : await scan();

  const locate = async (member: ZipMember): Promise<LocatedMember> => {
    const header = await readLocalHeader(bytes, member.headerOffset);
    requireSameMember(header, member);
    const { dataOffset } = header;
    if (dataOffset + member.packedSize > directory.offset)
      throw new ZipError('damaged', `the member "${member.name}" is cut off`);
    return { ...member, dataOffset };
  };
  const findScanned = async (name: string) => {
    const member = await findInDirectory(bytes, directory, { names: (await scan()).names, name });
    return member && locate(member);
  };
  return {
    count: directory.count,
    topFolder: first?.topFolder ?? '',
    memory: first ? minMemory + first.names.memory : indexMemory,
    locate,
    async find(name) {
      if (name === '' || name.endsWith('/')) return undefined;
      if (!index) return findScanned(name);
      const match = await findInIndex(bytes, index, name);
      if (match === 'absent') return undefined;
      return match === 'unsure' ? findScanned(name) : locate(match);
    },
    async *list() {
      for await (const records of readRecords(bytes, directory)) {
        for (const { record } of records) yield parseMember(record);
      }
    },
    async *listFrom(position) {
      for await (const records of readRecords(bytes, directory, position)) {
        for (const { record, next } of records) yield { member: parseMember(record), next };
      }
    },
    open: async (member) => openMember(bytes, await locate(member), options.maxInMemoryBytes ?? 64 * 2 ** 20),
  };
}

async function findInDirectory(
  bytes: Bytes,
  directory: DirectoryRange,
  { names, name }: { names: ScannedDirectory['names']; name: string },
): Promise<ZipMember | undefined> {
  for (const at of names.candidates(name)) {
    const record = await readRecord(bytes, directory, at);
    if (memberName(record) === name) return parseMember(record);
  }
  return undefined;
}

/** `unsure`: the index leads to another member or to a header without sizes, so the directory has to decide. */
async function findInIndex(
  bytes: Bytes,
  index: HashIndex,
  name: string,
): Promise<ZipMember | 'absent' | 'unsure'> {
  const offset = await index.find(name);
  if (offset === undefined) return 'absent';
  try {
    const header = await readLocalHeader(bytes, offset);
    return header.name === name && !hasDataDescriptor(header) ? parseMember(header) : 'unsure';
  } catch (error) {
    if (error instanceof ZipError) return 'unsure';
    throw error;
  }
}

/** Programs read different content from a file whose local headers contradict its directory. */
function requireSameMember(header: LocalHeader, member: ZipMember): void {
  const { name, packing, size, packedSize } = member;
  const isSame =
    header.name === name &&
    (hasDataDescriptor(header) ? header.size === 0 || header.size === size : header.size === size) &&
    (hasDataDescriptor(header) || header.packedSize === packedSize) &&
    parseMember({ ...header, size, packedSize }).packing === packing;
  if (!isSame)
    throw new ZipError(
      'refused',
      `its directory and the local header of its member "${name}" contradict each other`,
    );
}

const inflate = promisify(inflateRaw);
const decompress = promisify(zstdDecompress);

async function openMember(
  bytes: Bytes,
  { name, packing, dataOffset, packedSize, size, crc32: sum }: LocatedMember,
  maxBytes: number,
): Promise<Bytes> {
  if (packing === 'stored') return sliceBytes(bytes, dataOffset, size);
  if (size > maxBytes || packedSize > maxBytes) {
    throw new ZipError(
      'unsupported',
      `the member "${name}" is compressed and too large (${size} bytes): store it without compression`,
    );
  }
  const packed = await bytes.read(dataOffset, packedSize);
  const unpacked = await (packing === 'deflate' ? inflate : decompress)(packed, {
    maxOutputLength: size + 1,
  }).catch((error: unknown) => {
    throw new ZipError('damaged', `the member "${name}" is damaged`, { cause: error });
  });
  if (unpacked.length !== size || crc32(unpacked) !== sum)
    throw new ZipError('damaged', `the member "${name}" is damaged`);
  return {
    size,
    read: async (offset, length) => unpacked.subarray(offset, offset + length),
  };
}

/** A range of a file as a file of its own. */
function sliceBytes(bytes: Bytes, start: number, size: number): Bytes {
  return {
    size,
    read: (offset, length) => bytes.read(start + offset, Math.max(0, Math.min(length, size - offset))),
  };
}
