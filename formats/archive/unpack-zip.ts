import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { SourceError } from '../source/source.ts';
import { inflateRange } from './inflate-range.ts';
import { isJunk, memberName } from './member-name.ts';
import { createUnpackMeter, type MostRatio, type UnpackedFile, type UnpackOptions } from './unpack-meter.ts';
import { writeUnpacked } from './write-unpacked.ts';

const mostMembers = 10_000;
const mostRatio: MostRatio = { times: 200, aboveBytes: 100e6 };
const longestMessage = 200;

/**
 * Unpacks all members that may be data into a folder that exists, under names of our own: theirs are no paths. If one
 * of them is damaged or would do harm, none is left. Zip files in it stay as they are.
 * @returns the files by the order of their names
 * @throws SourceError brokenZip, refusedZip, unsupported
 */
export async function unpackZip(
  path: string,
  folder: string,
  options: UnpackOptions,
): Promise<UnpackedFile[]> {
  options.signal.throwIfAborted();
  const zip = await openZip(path);
  const files: UnpackedFile[] = [];
  const meter = createUnpackMeter(zip.fileSize, mostRatio, options.longestBytes);
  const names = new Set<string>();
  try {
    if (zip.entryCount > mostMembers) refuseCount();
    for await (const entry of zip.eachEntry()) {
      options.signal.throwIfAborted();
      const name = memberName(entry);
      const folded = name.replace(/\/$/, '').toLowerCase();
      if (names.has(folded)) refuse(`there are two members called "${name}"`);
      names.add(folded);
      if (names.size > mostMembers) refuseCount();
      refuseSpecial(entry, name);
      if (isJunk(name)) continue;
      refuseUnreadable(entry, name);
      const target = join(folder, `member-${files.length}`);
      const chunks = readMember(zip, path, entry);
      const size = await writeUnpacked(target, chunks, { signal: options.signal, meter });
      files.push({ name, path: target, size });
    }
  } catch (error) {
    await Promise.all(files.map((file) => rm(file.path, { force: true })));
    throw options.signal.aborted ? error : asSourceError(error);
  } finally {
    zip.close();
  }
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    const zip = await openPromise(path, { autoClose: false, decodeStrings: false });
    // Nobody listens between two entries, and an error that no one hears ends the process.
    zip.on('error', () => {});
    return zip;
  } catch (error) {
    throw asSourceError(error);
  }
}

/** With a stream of our own: it can be stopped at any chunk, and waits for nobody. */
async function* readMember(zip: ZipFile, path: string, entry: Entry): AsyncGenerator<Uint8Array> {
  const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packing = entry.compressionMethod === 0 ? 'none' : 'deflate';
  let sum = 0;
  let size = 0;
  for await (const chunk of inflateRange(path, { packing, start, end: start + entry.compressedSize })) {
    sum = crc32(chunk, sum);
    size += chunk.length;
    yield chunk;
  }
  if (sum !== entry.crc32 || size !== entry.uncompressedSize) {
    throw new SourceError('brokenZip', `its member "${memberName(entry)}" is damaged: upload it again`);
  }
}

/** Of Unix, in the upper half of the attributes; 0 where another system wrote it. */
const fileTypes = 0o170000;
const regularFile = 0o100000;
const folderType = 0o040000;

function refuseSpecial({ externalFileAttributes }: Entry, name: string): void {
  const type = (externalFileAttributes >>> 16) & fileTypes;
  if (type === 0 || type === regularFile || type === folderType) return;
  refuse(`its member "${name}" is a link or a device, not a file`);
}

function refuseUnreadable(entry: Entry, name: string): void {
  if (entry.isEncrypted()) {
    throw new SourceError('unsupported', `its member "${name}" is encrypted: upload it without a password`);
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw new SourceError(
      'unsupported',
      `its member "${name}" is packed by method ${entry.compressionMethod}: make the zip file with the usual one, Deflate`,
    );
  }
}

function refuse(reason: string): never {
  throw new SourceError('refusedZip', `${reason}: make the zip file again from the files themselves`);
}

function refuseCount(): never {
  throw new SourceError('refusedZip', `it has more than ${mostMembers} members: upload what is needed alone`);
}

/** What yauzl and zlib say is of the archive; what the operating system says is not. */
function asSourceError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SourceError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined || (code !== undefined && !code.startsWith('Z_'))) return error;
  const message = error.message.slice(0, longestMessage);
  return new SourceError(
    'brokenZip',
    `the zip file is damaged or cut off (${message}): upload it again`,
    {},
    {
      cause: error,
    },
  );
}
