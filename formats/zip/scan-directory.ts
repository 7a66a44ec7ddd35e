import type { Bytes } from '../bytes/bytes.ts';
import { isJunk } from '../archive/member-name.ts';
import { memberOf, nameOf } from './member-fields.ts';
import { createNameTable, type NameTable } from './name-table.ts';
import { readRecord, readRecords, type DirectoryRecord, type PlacedRecord } from './read-records.ts';
import type { DirectoryPlace } from './read-end.ts';
import { ZipError } from './zip-error.ts';

export interface ZipLimits {
  /** Of an archive without an index; 4 million by default. */
  readonly mostMembers?: number;
  /** All members together may not claim more than so many times the size of the archive, above 100 MB; 200 by default. */
  readonly mostTimes?: number;
}

/** A central directory that was gone through once. */
export interface ScannedDirectory {
  readonly names: NameTable;
  /** The one folder in which all data lies, ending with /; empty where there is none. */
  readonly topFolder: string;
}

const freeBytes = 100e6;
const longestDirectory = 2 ** 32 - 2;
const headerBytes = 30;

/**
 * Goes through the whole directory, about 100 bytes per member.
 * @throws ZipError for what is damaged, packs as no honest archive does, or would lead out of its folder
 */
export async function scanDirectory(
  bytes: Bytes,
  directory: DirectoryPlace,
  { mostMembers = 4_000_000, mostTimes = 200 }: ZipLimits,
): Promise<ScannedDirectory> {
  const { count, offset, end } = directory;
  if (count > mostMembers)
    throw new ZipError(`it has more than ${mostMembers} members: pack it as a 3TZ or SLPK, with an index`);
  if (end - offset > longestDirectory) throw new ZipError('its directory is too long');
  const names = createNameTable(count);
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  const same: { name: string; at: number }[] = [];
  let claimed = 0;
  let seen = 0;
  let top: string | undefined;
  const visit = ({ record, at }: PlacedRecord) => {
    const member = memberOf(record);
    const { name, headerOffset, packedSize, size } = member;
    refuseSpecial(record, name);
    claimed += size;
    starts[seen] = headerOffset;
    ends[seen++] = headerOffset + headerBytes + record.rawName.length + packedSize;
    const earlier = names.add(name, at);
    if (earlier !== undefined) same.push({ name, at: earlier });
    if (!isJunk(name)) top = commonFolder(top, name);
  };
  for await (const records of readRecords(bytes, directory)) records.forEach(visit);
  if (claimed > freeBytes && claimed > bytes.size * mostTimes)
    throw new ZipError(`more than ${mostTimes} times its size would come out of it, as of a zip bomb`);
  requireApart(starts, ends, offset);
  for (const { name, at } of same) {
    if (nameOf(await readRecord(bytes, directory, at)) === name)
      throw new ZipError(`two of its members are called "${name}"`);
  }
  return { names, topFolder: top ?? '' };
}

/** What all names so far begin with, of whole folders only the first; not the zoom of tiles named {z}/{x}/{y}. */
function commonFolder(before: string | undefined, name: string): string {
  if (/^\d+\/\d+\//.test(name)) return '';
  const first = name.slice(0, name.indexOf('/') + 1);
  return before === undefined || before === first ? first : '';
}

/** Members that share bytes are how small archives unpack to petabytes (Fifield 2019). */
function requireApart(starts: Float64Array, ends: Float64Array, limit: number): void {
  if (lieInOrder(starts, ends, limit)) return;
  // intervals lie apart if and only if each ends before the next one in order begins, ends and starts sorted by themselves
  starts.sort();
  ends.sort();
  for (let i = 0; i < ends.length; i++) {
    if (ends[i]! > (starts[i + 1] ?? limit))
      throw new ZipError('its members overlap: it is damaged or a zip bomb');
  }
}

/** As nearly all archives are written; sorting millions takes long. */
function lieInOrder(starts: Float64Array, ends: Float64Array, limit: number): boolean {
  return ends.every((end, i) => end <= (starts[i + 1] ?? limit));
}

/** Of Unix, in the upper half of the attributes; 0 where another system wrote it. */
const fileTypes = 0o170000;
const ordinary = new Set([0, 0o100000, 0o040000]);

function refuseSpecial({ attributes }: DirectoryRecord, name: string): void {
  if (ordinary.has((attributes >>> 16) & fileTypes)) return;
  throw new ZipError(`its member "${name}" is a link or a device, not a file`);
}
