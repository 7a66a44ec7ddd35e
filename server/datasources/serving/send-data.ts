import { archiveKind } from '../address.ts';
import type { Wanted } from './data-request.ts';
import type { ServedDatasource } from './access.ts';
import type { ServedFile } from './file-headers.ts';
import { sendForOthers } from './for-others.ts';
import { sendI3s } from './i3s.ts';
import type { Library } from './library.ts';
import { sendMbtile, sendMbtilesTileJson } from './mbtiles.ts';
import { membersOfFolder, membersOfZip, type Members } from './members.ts';
import { sendFile, sendNoTile } from './reply.ts';
import type { Exchange } from './send-bytes.ts';
import { sendStyle } from './style.ts';
import { sendTileJsonOfFolder } from './tile-folder.ts';
import { isTileAddress, sendArchiveTile, sendTileJson } from './tiles.ts';

/** Answers with data that lies in a bucket, or with what is made of it; false where it has nothing of that path. */
export async function sendData(library: Library, wanted: Wanted, exchange: Exchange): Promise<boolean> {
  const sendIt = (what: Wanted) => sendStored(library, what, exchange);
  return (await sendIt(wanted)) || sendForOthers(library, wanted, exchange, sendIt);
}

function sendStored(library: Library, wanted: Wanted, exchange: Exchange): Promise<boolean> {
  const { bucketId, servedFolder } = wanted.datasource;
  if (servedFolder === null) return sendOfFile(library, wanted, exchange);
  return sendOfMembers(
    library,
    { ...wanted, members: membersOfFolder(library, bucketId!, servedFolder) },
    exchange,
  );
}

/**
 * A single file goes by its name, or by nothing; an archive also by what is in it. Its thumbnail lies beside it, under its
 * whole name, so that no other file of the bucket is opened up.
 */
async function sendOfFile(library: Library, wanted: Wanted, exchange: Exchange): Promise<boolean> {
  const { datasource, rest } = wanted;
  const { bucketId, bucketKey, type } = datasource;
  const file = await library.file(bucketId!, bucketKey!);
  if (!file) return false;
  const name = lastOf(bucketKey!);
  const kind = archiveKind(name);
  const isService = kind === 'zip' && type === 'i3s' && rest === '';
  if ((rest === '' && !isService) || isNameOf(datasource, rest.normalize('NFC')))
    return sendFile(library, file, exchange);
  if (rest === 'thumbnail.png') {
    const thumbnail = await library.file(bucketId!, `${bucketKey!}.thumbnail.png`);
    if (thumbnail) return sendFile(library, thumbnail, exchange);
  }
  if (kind === 'zip')
    return sendOfMembers(library, { ...wanted, members: membersOfZip(library, file) }, exchange);
  return kind !== undefined && sendOfTiles(library, { ...wanted, file, kind }, exchange);
}

/** Tiles in one file, and what describes them. */
async function sendOfTiles(
  library: Library,
  { datasource, rest, base, file, kind }: Wanted & { file: ServedFile; kind: 'pmtiles' | 'mbtiles' },
  exchange: Exchange,
): Promise<boolean> {
  const { _id, type } = datasource;
  if (rest === 'style.json') return sendStyle({ style: await library.style(_id), base: base() }, exchange);
  if (rest === 'tiles.json' && type === 'tms') return false; // its rows count from the south: see for-others.ts
  if (rest !== 'tiles.json') {
    const sendOne = kind === 'pmtiles' ? sendArchiveTile : sendMbtile;
    return sendOne(library, { file, type, rest }, exchange);
  }
  const describe = kind === 'pmtiles' ? sendTileJson : sendMbtilesTileJson;
  return describe(library, { file, base: base() }, exchange);
}

/** What lies in a folder or zip file; of vector tiles also what describes them, unless it lies there. */
async function sendOfMembers(
  library: Library,
  { datasource, rest, base, members }: Wanted & { members: Members },
  exchange: Exchange,
): Promise<boolean> {
  const { _id, type } = datasource;
  if (type === 'i3s') return sendI3s(library, { members, rest, name: nameOf(datasource) }, exchange);
  const { formerNames, bucketKey } = datasource;
  const file =
    (await members.find(rest)) ??
    (formerNames.includes(rest) ? await members.find(lastOf(bucketKey!)) : undefined);
  if (file) return sendFile(library, file, exchange);
  if (type !== 'vectortiles') return false;
  if (isTileAddress(rest)) return sendNoTile({ ...exchange, caching: askingAgain(exchange) });
  if (rest === 'style.json') return sendStyle({ style: await library.style(_id), base: base() }, exchange);
  if (rest !== 'tiles.json') return false;
  const metadata = await members.find('metadata.json');
  return metadata !== undefined && sendTileJsonOfFolder(library, { metadata, base: base() }, exchange);
}

/** A file that a folder has not got may come without a new revision. */
const askingAgain = ({ caching }: Exchange) => (caching === 'lasting' ? 'private' : caching);

/** Of its file or folder, without the ending. */
function nameOf({ bucketKey }: ServedDatasource): string {
  return lastOf(bucketKey!).replace(/\.\w+$/, '');
}

/** Its name, or one that it had: addresses with that are in use. */
function isNameOf({ bucketKey, formerNames }: ServedDatasource, name: string): boolean {
  return name === lastOf(bucketKey!) || formerNames.includes(name);
}

const lastOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);
