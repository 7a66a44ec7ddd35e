import type { Context } from '../../base/context.ts';
import type { TilesetHost } from '../parsing/names/read-names-of-tileset.ts';
import { listNames, listTilesetNames } from '../parsing/parse-file.ts';
import type { Archives } from './archives.ts';
import type { ServedFile } from './file-headers.ts';

const maxReadBytes = 2 ** 20;

/** What is listed of which data. */
export interface NameQuery {
  readonly attribute: string;
  /** One of `hasNames`. */
  readonly type: string;
  /** The first file of a tileset. */
  readonly entry: string;
}

interface Search extends NameQuery {
  readonly archives: Archives;
  /** Reads a small range of a blob. */
  readonly range: (
    blobId: string,
    offset: number,
    length: number,
  ) => Uint8Array | Promise<Uint8Array | undefined>;
}

/** Lists the names of the features of a file. @throws Failure, ParserStopped */
export async function namesOf(
  context: Pick<Context, 'db' | 'parsers'>,
  file: ServedFile,
  search: Search,
): Promise<Uint8Array> {
  const { attribute, type, entry, archives } = search;
  if (type === 'tileset')
    return listTilesetNames(context, file, { attribute, entry, host: tilesetHost(file, search) });
  const format = type === 'flatgeobuf' ? 'flatgeobuf' : 'pmtiles';
  return listNames(context, file, { attribute, format, bytes: archives.bytesOf(file) });
}

/** How a parser reads a tileset in an archive: member by member. */
const tilesetHost = (archive: ServedFile, { archives, range }: Search): TilesetHost => ({
  async find(path) {
    const member = await archives.member(archive, path);
    return member && { size: member.size, packing: member.packing };
  },
  async read(path, offset, length) {
    const member = await archives.member(archive, path);
    const wanted = Math.min(length, maxReadBytes, Math.max(0, (member?.size ?? 0) - offset));
    const bytes = member && (await range(member.blobId, member.offset + offset, wanted));
    return bytes ?? new Uint8Array(0);
  },
});
