import type { Bytes } from '../bytes/bytes.ts';
import { isJunk, memberName } from './member-name.ts';
import { localHeaderBytes } from './local-header.ts';
import { refuseSpecial } from './refuse-special.ts';
import { parseMember } from './member-fields.ts';
import { createNameTable, type NameTable } from './name-table.ts';
import { readRecord, readRecords, type RecordEntry } from './read-records.ts';
import type { DirectoryRange } from './find-directory.ts';
import { ZipError } from './zip-error.ts';

export interface ZipLimits {
  /** For archives without an index; 4 million by default. */
  readonly maxMembers?: number;
  /** Largest ratio of the unpacked size that all members claim together to the size of the archive, above 100 MB; 200 by default. */
  readonly maxRatio?: number;
}

/** The index of a central directory that was scanned once. */
export interface ScannedDirectory {
  readonly names: NameTable;
  /** The top folder that holds all data, ending with /; empty if there is none. */
  readonly topFolder: string;
}

const minCheckedBytes = 100e6;
const maxDirectoryBytes = 2 ** 32 - 2;

/**
 * Reads the whole directory, about 100 bytes per member.
 * @throws ZipError for damaged archives, zip bombs and names that lead out of their folder
 */
export async function scanDirectory(
  bytes: Bytes,
  directory: DirectoryRange,
  { maxMembers = 4_000_000, maxRatio = 200 }: ZipLimits,
): Promise<ScannedDirectory> {
  const { count, offset, end } = directory;
  if (count > maxMembers)
    throw new ZipError(
      'refused',
      `it has more than ${maxMembers} members: pack it as a 3TZ or SLPK, with an index`,
    );
  if (end - offset > maxDirectoryBytes) throw new ZipError('refused', 'its directory is too long');
  const names = createNameTable(count);
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  const same: { name: string; at: number }[] = [];
  let claimed = 0;
  let seen = 0;
  let top: string | undefined;
  const visit = ({ record, at }: RecordEntry) => {
    const member = parseMember(record);
    const { name, headerOffset, packedSize, size } = member;
    refuseSpecial(record, name);
    claimed += size;
    starts[seen] = headerOffset;
    ends[seen++] = headerOffset + localHeaderBytes + record.rawName.length + packedSize;
    const earlier = names.add(name, at);
    if (earlier !== undefined) same.push({ name, at: earlier });
    if (!isJunk(name)) top = commonFolder(top, name);
  };
  for await (const records of readRecords(bytes, directory)) records.forEach(visit);
  if (claimed > minCheckedBytes && claimed > bytes.size * maxRatio)
    throw new ZipError('refused', `it would unpack to more than ${maxRatio} times its size, like a zip bomb`);
  refuseOverlaps(starts, ends, offset);
  for (const { name, at } of same) {
    if (memberName(await readRecord(bytes, directory, at)) === name)
      throw new ZipError('refused', `two of its members are called "${name}"`);
  }
  return { names, topFolder: top ?? '' };
}

/** The first folder of all names so far, if it is the same; the zoom of tiles named {z}/{x}/{y} does not count. */
function commonFolder(before: string | undefined, name: string): string {
  if (/^\d+\/\d+\//.test(name)) return '';
  const first = name.slice(0, name.indexOf('/') + 1);
  return before === undefined || before === first ? first : '';
}

/** Members that share bytes let a small archive unpack to petabytes (Fifield 2019). */
function refuseOverlaps(starts: Float64Array, ends: Float64Array, limit: number): void {
  if (areInOrder(starts, ends, limit)) return;
  // intervals are disjoint if and only if, with starts and ends sorted separately, each ends before the next start
  starts.sort();
  ends.sort();
  for (let i = 0; i < ends.length; i++) {
    if (ends[i]! > (starts[i + 1] ?? limit))
      throw new ZipError('refused', 'its members overlap: it is damaged or a zip bomb');
  }
}

/** True for nearly all archives, and saves sorting millions of offsets. */
function areInOrder(starts: Float64Array, ends: Float64Array, limit: number): boolean {
  return ends.every((end, i) => end <= (starts[i + 1] ?? limit));
}
