import { closeSync, ftruncateSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { createFileAppender, readAll, writeAll } from '../bytes/file-appender.ts';
import { encodeEnd, encodeLocalHeader, encodeRecord } from './encode-records.ts';
import { encodeRow, indexRows, kinds, type NameClash } from './hash-rows.ts';
import { createMemberEncoder } from './member-encoder.ts';
import { localHeaderBytes } from './local-header.ts';
import { methods } from './member-fields.ts';
import { utf8Flag } from './member-name.ts';
import type { PackedMember } from './pack-member.ts';
import { rowBytes, sortHashRows } from './sort-hash-rows.ts';

/** A range of a file that is being written. */
export interface WrittenRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Everything that `flush` has put into files; plain data, with which another process resumes. */
export interface WrittenMembers {
  readonly count: number;
  readonly archive: WrittenRange;
  readonly directory: WrittenRange;
  readonly rows: WrittenRange;
  readonly hasTileset: boolean;
}

export interface Write3tzOptions {
  /** Holds the archive until it is complete, and 24 bytes, the name and 46 bytes more of each member. */
  readonly scratchFolder: string;
  /** Begins the names of the files. */
  readonly name: string;
  /** What `flush` returned: whatever was added later is cut off. Its folder may have moved to `scratchFolder`. */
  readonly resume?: WrittenMembers | undefined;
}

/**
 * Writes a 3D Tiles archive (3TZ 1.3): a zip file whose last member is an index, sorted by hash, of all others. Members
 * go straight to the archive, the directory and the index to scratch files: memory does not depend on their number.
 */
export interface Writer3tz {
  readonly count: number;
  /** @throws TypeError for names that readers refuse; RangeError for members of 4 GiB */
  add(member: PackedMember): void;
  /** Puts everything added so far into files. Nothing is synced to disk. */
  flush(): WrittenMembers;
  /**
   * Completes the archive and moves it to `path`, on the same disk.
   * @throws TypeError if names clash or the archive has no tileset.json; it can then only be discarded
   */
  finish(path: string): void;
  /** Removes what has been written, instead of `finish`. */
  discard(): void;
}

const indexName = '@3dtilesIndex1@';
const rootName = 'tileset.json';
/** Other archives, folders, and the index itself. */
const forbidden = /\.3tz|\/$|^@3dtilesIndex1@$/i;
const maxMemberBytes = 2 ** 32 - 2;
const maxMembers = Math.floor(maxMemberBytes / rowBytes);
const fileAttributes = (0o100644 << 16) >>> 0;
const copyBytes = 1 << 20;

export function open3tzWriter({ scratchFolder, name, resume }: Write3tzOptions): Writer3tz {
  const logOf = (kind: keyof typeof endings, written: WrittenRange | undefined) =>
    openLog(join(scratchFolder, `${name}.${endings[kind]}`), written?.end ?? 0);
  const archive = logOf('archive', resume?.archive);
  const directory = logOf('directory', resume?.directory);
  const rows = logOf('rows', resume?.rows);
  const row = Buffer.alloc(rowBytes);
  const encoder = createMemberEncoder();
  let count = resume?.count ?? 0;
  let hasTileset = resume?.hasTileset ?? false;

  const addToIndex = (memberName: string, offset: number): void => {
    const folded = memberName.toLowerCase();
    encodeRow(row, memberName, offset, folded === memberName ? kinds.name : kinds.nameThatFolds);
    rows.append(row);
    if (folded === memberName) return;
    encodeRow(row, folded, offset, kinds.folded);
    rows.append(row);
  };
  const appendIndex = (): void => {
    const headerOffset = archive.position;
    const content = { rawName: Buffer.from(indexName), size: count * rowBytes, packedSize: count * rowBytes };
    const fields = {
      ...content,
      flags: utf8Flag,
      method: methods.stored,
      attributes: fileAttributes,
      headerOffset,
    };
    archive.append(encodeLocalHeader({ ...fields, crc32: 0 }, false));
    let sum = 0;
    const onClash = (clash: NameClash) => nameClash(clash, archive.file);
    rows.flush();
    archive.flush();
    for (const sorted of sortHashRows(rows.file, rows.position / rowBytes, `${rows.path}.sorted`)) {
      const index = indexRows(sorted, onClash);
      sum = crc32(index, sum);
      archive.append(index);
    }
    archive.flush();
    writeAll(archive.file, encodeLocalHeader({ ...fields, crc32: sum }, false), headerOffset);
    directory.append(encodeRecord({ ...fields, crc32: sum }));
  };
  const appendDirectory = (): void => {
    directory.flush();
    const offset = archive.position;
    const length = directory.position;
    const part = Buffer.allocUnsafeSlow(copyBytes);
    for (let at = 0; at < length; at += copyBytes) {
      const bytes = part.subarray(0, Math.min(copyBytes, length - at));
      readAll(directory.file, bytes, at);
      archive.append(bytes);
    }
    archive.append(encodeEnd({ count: count + 1, length, offset }));
  };

  return {
    get count() {
      return count;
    },
    add({ name: memberName, packing, bytes, size, crc32: sum }) {
      if (forbidden.test(memberName))
        throw new TypeError(`${JSON.stringify(memberName)} cannot be the name of a member of a 3TZ.`);
      if (Math.max(bytes.length, size) > maxMemberBytes)
        throw new RangeError(
          `The member ${JSON.stringify(memberName)} has 4 GiB or more, which a 3TZ cannot hold.`,
        );
      if (count === maxMembers) throw new RangeError(`A 3TZ cannot hold more than ${maxMembers} members.`);
      const headerOffset = archive.position;
      const content = { packedSize: bytes.length, size, crc32: sum };
      const fields = {
        ...content,
        flags: utf8Flag,
        method: methods[packing],
        attributes: fileAttributes,
        headerOffset,
      };
      archive.append(encoder.header(memberName, fields));
      archive.append(bytes);
      directory.append(encoder.record());
      addToIndex(memberName, headerOffset);
      hasTileset ||= memberName === rootName;
      count++;
    },
    flush() {
      for (const log of [archive, directory, rows]) log.flush();
      const ranges = { archive: archive.range(), directory: directory.range(), rows: rows.range() };
      return { count, ...ranges, hasTileset };
    },
    finish(path) {
      if (!hasTileset) throw new TypeError(`The archive has no ${rootName}, with which every 3TZ begins.`);
      appendIndex();
      appendDirectory();
      archive.flush();
      archive.close();
      renameSync(archive.path, path);
      for (const log of [directory, rows]) log.remove();
    },
    discard() {
      for (const log of [archive, directory, rows]) log.remove();
    },
  };
}

const endings = { archive: '3tz.unfinished', directory: 'directory', rows: 'rows' } as const;

/** A file that is appended to, from a position on. */
function openLog(path: string, from: number) {
  const file = openSync(path, from === 0 ? 'w+' : 'r+');
  ftruncateSync(file, from);
  const appender = createFileAppender(file, from);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    path,
    file,
    get position() {
      return appender.position;
    },
    append: (bytes: Uint8Array) => appender.append(bytes),
    flush: () => appender.flush(),
    range: (): WrittenRange => ({ path, start: 0, end: appender.position }),
    close,
    remove() {
      close();
      rmSync(path, { force: true });
    },
  };
}

function nameClash({ isDuplicate, offsets }: NameClash, archive: number): TypeError {
  const [one, other] = offsets.map((offset) => JSON.stringify(nameAt(archive, offset)));
  return new TypeError(
    isDuplicate
      ? `Two members of the archive are called ${one}.`
      : `The names ${one} and ${other} differ only in upper and lower case: not every system can tell them apart.`,
  );
}

function nameAt(archive: number, offset: number): string {
  const header = Buffer.alloc(localHeaderBytes);
  readAll(archive, header, offset);
  const rawName = Buffer.alloc(header.readUInt16LE(26));
  readAll(archive, rawName, offset + localHeaderBytes);
  return rawName.toString();
}
