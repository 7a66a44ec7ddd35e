import { isJunk } from '@platen/formats/zip/member-name';
import type { ZipIndex } from '@platen/formats/zip/open-zip';
import { usableKey } from '../../files/objects/key.ts';
import { contentTypeOf } from '../../files/objects/content-type.ts';
import { isPackable, type ServedFile } from '../../datasources/serving/file-headers.ts';
import { entryOf, findFile, type SourceContext } from './folder-part.ts';
import { numberOf, type Part } from './part.ts';
import { gone } from './plain-bytes.ts';
import type { BundleSource } from './sources.ts';

/** The index that a 3TZ or SLPK has as its last member. */
const indexes = new Set(['@3dtilesIndex1@', '@specialIndexFileHASH128@']);

/** The members of a zip file or 3TZ, unpacked. If all of them are in one folder, paths omit it. */
export function zipPart(sourceContext: SourceContext, source: BundleSource): Part {
  const { archives } = sourceContext.library;
  const archive = async () => {
    const file = await findFile(sourceContext, source, source.bucketKey!);
    if (!file) throw gone();
    return file;
  };
  const find = async (path: string) => {
    const key = usableKey(path);
    const file = await archive();
    const member = key === undefined ? undefined : await archives.member(file, key);
    if (!member) return undefined;
    return {
      ...entryOf(sourceContext, path, member),
      version: versionOf(file, member.crc32, member.unpackedSize),
    };
  };
  return {
    async *list(from) {
      const file = await archive();
      const zip: ZipIndex = await archives.zip(file);
      for await (const { member, next } of zip.listFrom(numberOf(from))) {
        const { name, size, crc32 } = member;
        if (isJunk(name) || indexes.has(name) || !name.startsWith(zip.topFolder)) continue;
        const path = name.slice(zip.topFolder.length);
        if (usableKey(path) === undefined) continue;
        const known = isPackable(path) ? {} : { size };
        const version = versionOf(file, crc32, size);
        const open = async () => {
          const found = await find(path);
          if (!found) throw gone();
          return found.open();
        };
        yield {
          file: { path, ...known, version, contentType: contentTypeOf(path), open },
          next: String(next),
        };
      }
    },
    find,
  };
}

const versionOf = ({ etag }: ServedFile, crc32: number, size: number) =>
  `${etag.slice(1, 17)}-${crc32.toString(36)}-${size.toString(36)}`;
