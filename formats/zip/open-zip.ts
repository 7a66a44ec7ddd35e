import { promisify } from 'node:util';
import { crc32, inflateRaw, zstdDecompress } from 'node:zlib';
import type { Bytes } from '../bytes/bytes.ts';
import { openHashIndex, type HashIndex } from './hash-index.ts';
import { readLocalHeader, type LocalHeader } from './local-header.ts';
import { memberOf, nameOf, sizesFollow } from './member-fields.ts';
import { readRecord, readRecords } from './read-records.ts';
import { readEnd, type DirectoryPlace } from './read-end.ts';
import { scanDirectory, type ScannedDirectory, type ZipLimits } from './scan-directory.ts';
import { ZipError } from './zip-error.ts';
import type { LocatedMember, ZipMember } from './zip-member.ts';

export interface ZipOptions extends ZipLimits {
  /** A packed member is opened in memory, up to this size; 64 MiB by default. */
  readonly longestInMemory?: number;
}

export interface ZipIndex {
  /** How many members it has, folders included. */
  readonly count: number;
  /** The one folder in which everything lies, ending with /; empty where there is none. */
  readonly topFolder: string;
  /** What it takes in memory, in bytes, roughly. */
  readonly memory: number;
  /** The member of this very name, which is no folder's. @throws ZipError */
  find(name: string): Promise<LocatedMember | undefined>;
  /** All members, also folders, in the order of the directory. @throws ZipError */
  list(): AsyncIterable<ZipMember>;
  /** The same from a place on, 0 or the `next` of a member that was listed. @throws ZipError */
  listFrom(place: number): AsyncIterable<{ readonly member: ZipMember; readonly next: number }>;
  /** Where a listed member lies. @throws ZipError where its local header says otherwise */
  locate(member: ZipMember): Promise<LocatedMember>;
  /** Its content, unpacked in memory if it is packed. @throws ZipError */
  open(member: ZipMember): Promise<Bytes>;
}

/** A few hundred bytes, and the blocks of the index that are kept. */
const leastMemory = 64 * 1024;
const indexMemory = 2 * 1024 * 1024;

/**
 * Opens a zip file without reading its members. With the index of a 3TZ or SLPK that takes three reads; otherwise its
 * directory is gone through once.
 * @throws ZipError for what is damaged, encrypted, or would do harm when it is unpacked
 */
export async function openZip(bytes: Bytes, options: ZipOptions = {}): Promise<ZipIndex> {
  const directory = await readEnd(bytes);
  const index = await openHashIndex(bytes, directory);
  let scanned: Promise<ScannedDirectory> | undefined;
  const scan = () => (scanned ??= scanDirectory(bytes, directory, options));
  const first = index ? undefined : await scan();

  const locate = async (member: ZipMember): Promise<LocatedMember> => {
    const header = await readLocalHeader(bytes, member.headerOffset);
    requireSame(header, member);
    const { dataOffset } = header;
    if (dataOffset + member.packedSize > directory.offset)
      throw new ZipError(`its member "${member.name}" is cut off`);
    return { ...member, dataOffset };
  };
  const findScanned = async (name: string) => {
    const member = await findInDirectory(bytes, directory, { names: (await scan()).names, name });
    return member && locate(member);
  };
  return {
    count: directory.count,
    topFolder: first?.topFolder ?? '',
    memory: first ? leastMemory + first.names.memory : indexMemory,
    locate,
    async find(name) {
      if (name === '' || name.endsWith('/')) return undefined;
      if (!index) return findScanned(name);
      const found = await findInIndex(bytes, index, name);
      if (found === 'absent') return undefined;
      return found === 'unsure' ? findScanned(name) : locate(found);
    },
    async *list() {
      for await (const records of readRecords(bytes, directory)) {
        for (const { record } of records) yield memberOf(record);
      }
    },
    async *listFrom(place) {
      for await (const records of readRecords(bytes, directory, place)) {
        for (const { record, next } of records) yield { member: memberOf(record), next };
      }
    },
    open: async (member) => openMember(bytes, await locate(member), options.longestInMemory ?? 64 * 2 ** 20),
  };
}

async function findInDirectory(
  bytes: Bytes,
  directory: DirectoryPlace,
  { names, name }: { names: ScannedDirectory['names']; name: string },
): Promise<ZipMember | undefined> {
  for (const at of names.candidates(name)) {
    const record = await readRecord(bytes, directory, at);
    if (nameOf(record) === name) return memberOf(record);
  }
  return undefined;
}

/** `unsure`: it leads to something else, or to a header without sizes, and the directory has to tell. */
async function findInIndex(
  bytes: Bytes,
  index: HashIndex,
  name: string,
): Promise<ZipMember | 'absent' | 'unsure'> {
  const offset = await index.find(name);
  if (offset === undefined) return 'absent';
  try {
    const header = await readLocalHeader(bytes, offset);
    return header.name === name && !sizesFollow(header) ? memberOf(header) : 'unsure';
  } catch (error) {
    if (error instanceof ZipError) return 'unsure';
    throw error;
  }
}

/** Two programs may read two archives out of one file whose headers and directory differ. */
function requireSame(header: LocalHeader, member: ZipMember): void {
  const { name, packing, size, packedSize } = member;
  const isSame =
    header.name === name &&
    (sizesFollow(header) ? header.size === 0 || header.size === size : header.size === size) &&
    (sizesFollow(header) || header.packedSize === packedSize) &&
    memberOf({ ...header, size, packedSize }).packing === packing;
  if (!isSame)
    throw new ZipError(`its directory and the header of its member "${name}" contradict each other`);
}

const inflate = promisify(inflateRaw);
const decompress = promisify(zstdDecompress);

async function openMember(
  bytes: Bytes,
  { name, packing, dataOffset, packedSize, size, crc32: sum }: LocatedMember,
  longest: number,
): Promise<Bytes> {
  if (packing === 'stored') return pieceOf(bytes, dataOffset, size);
  if (size > longest || packedSize > longest) {
    throw new ZipError(
      `its member "${name}" is packed, and too large (${size} bytes) to be read so: store it unpacked`,
    );
  }
  const packed = await bytes.read(dataOffset, packedSize);
  const unpacked = await (packing === 'deflate' ? inflate : decompress)(packed, {
    maxOutputLength: size + 1,
  }).catch((error: unknown) => {
    throw new ZipError(`its member "${name}" is damaged`, { cause: error });
  });
  if (unpacked.length !== size || crc32(unpacked) !== sum)
    throw new ZipError(`its member "${name}" is damaged`);
  return {
    size,
    read: async (offset, length) => unpacked.subarray(offset, offset + length),
  };
}

/** A stretch of a file as a file of its own. */
function pieceOf(bytes: Bytes, start: number, size: number): Bytes {
  return {
    size,
    read: (offset, length) => bytes.read(start + offset, Math.max(0, Math.min(length, size - offset))),
  };
}
