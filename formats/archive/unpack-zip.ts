import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { openFile, type OpenFile } from '../bytes/open-file.ts';
import { SourceError } from '../source/source.ts';
import { findDirectory } from '../zip/find-directory.ts';
import { readDataOffset } from '../zip/local-header.ts';
import { parseMember } from '../zip/member-fields.ts';
import { isJunk, memberName } from '../zip/member-name.ts';
import { readRecords, type DirectoryRecord } from '../zip/read-records.ts';
import { refuseSpecial } from '../zip/refuse-special.ts';
import { ZipError } from '../zip/zip-error.ts';
import type { ZipMember } from '../zip/zip-member.ts';
import { inflateRange } from './inflate-range.ts';
import { createUnpackMeter, type RatioLimit, type UnpackedFile, type UnpackOptions } from './unpack-meter.ts';
import { writeUnpacked } from './write-unpacked.ts';

const maxMembers = 10_000;
const ratioLimit: RatioLimit = { times: 200, aboveBytes: 100e6 };

/**
 * Unpacks all members that may be data into an existing folder, under names of our own, as theirs are not safe as paths.
 * Zip files among them stay packed. If one member is damaged or harmful, no file is left.
 * @returns the files sorted by name
 * @throws SourceError brokenZip, refusedZip, unsupported
 */
export async function unpackZip(
  path: string,
  folder: string,
  { signal, maxBytes }: UnpackOptions,
): Promise<UnpackedFile[]> {
  signal.throwIfAborted();
  const file = await openFile(path);
  const files: UnpackedFile[] = [];
  const meter = createUnpackMeter(file.size, ratioLimit, maxBytes);
  try {
    for await (const record of readUniqueRecords(file)) {
      signal.throwIfAborted();
      const name = memberName(record);
      refuseSpecial(record, name);
      if (isJunk(name)) continue;
      const target = join(folder, `member-${files.length}`);
      const size = await writeUnpacked(target, await readMember(file, path, record), { signal, meter });
      files.push({ name, path: target, size });
    }
  } catch (error) {
    await Promise.all(files.map((unpacked) => rm(unpacked.path, { force: true })));
    throw signal.aborted ? error : asSourceError(error);
  } finally {
    await file.close();
  }
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Letter case does not make names different: files of a shapefile are matched without it. */
async function* readUniqueRecords(file: OpenFile): AsyncGenerator<DirectoryRecord> {
  const directory = await findDirectory(file);
  if (directory.count > maxMembers) {
    throw new ZipError('refused', `it has more than ${maxMembers} members: upload only what is needed`);
  }
  const names = new Set<string>();
  for await (const entries of readRecords(file, directory)) {
    for (const { record } of entries) {
      const name = memberName(record);
      const folded = name.replace(/\/$/, '').toLowerCase();
      if (names.has(folded)) {
        throw new ZipError('refused', `two of its members are called "${name}": create the zip file again`);
      }
      names.add(folded);
      yield record;
    }
  }
}

/** @throws ZipError */
async function readMember(
  file: OpenFile,
  path: string,
  record: DirectoryRecord,
): Promise<AsyncGenerator<Uint8Array>> {
  const member = parseMember(record);
  if (member.packing === 'zstd') {
    throw new ZipError(
      'unsupported',
      `the member "${member.name}" is compressed with method ${record.method}: create the zip file with Deflate`,
    );
  }
  const packing = member.packing === 'stored' ? 'none' : 'deflate';
  const start = await readDataOffset(file, member.headerOffset);
  return checked(inflateRange(path, { packing, start, end: start + member.packedSize }), member);
}

async function* checked(
  chunks: AsyncIterable<Uint8Array>,
  { name, ...expected }: ZipMember,
): AsyncGenerator<Uint8Array> {
  let sum = 0;
  let size = 0;
  for await (const chunk of chunks) {
    sum = crc32(chunk, sum);
    size += chunk.length;
    yield chunk;
  }
  if (sum !== expected.crc32 || size !== expected.size) {
    throw new SourceError('brokenZip', `the member "${name}" is damaged: upload the zip file again`);
  }
}

/** Errors of the reader and of zlib are the archive's fault, those of the operating system are not. */
function asSourceError(error: unknown): unknown {
  if (error instanceof ZipError && error.fault !== 'damaged') {
    const code = error.fault === 'refused' ? 'refusedZip' : 'unsupported';
    return new SourceError(code, error.message, {}, { cause: error });
  }
  const { code } = error as NodeJS.ErrnoException;
  if (!(error instanceof ZipError) && !code?.startsWith('Z_')) return error;
  const message = `the zip file is damaged or cut off (${(error as Error).message}): upload it again`;
  return new SourceError('brokenZip', message, {}, { cause: error });
}
