import { archiveKind, isTerrain } from '../address.ts';
import type { ServedDatasource } from './access.ts';
import { findInteropReply } from './interop/formats.ts';
import type { Reply } from './reply.ts';
import { sceneLayer } from './sources/i3s.ts';
import { mbtiles } from './sources/mbtiles.ts';
import { inFolder, inZip, memberFiles } from './sources/members.ts';
import { pmtiles } from './sources/pmtiles.ts';
import { singleFile } from './sources/single-file.ts';
import type { DataRequest, Source } from './sources/source.ts';
import { terrain } from './sources/terrain.ts';
import { tilesOf } from './sources/tile-archive.ts';

type SourceKind =
  | 'file'
  | 'pmtiles'
  | 'terrain'
  | 'mbtiles'
  | 'zip'
  | 'scenePackage'
  | 'folder'
  | 'sceneFolder';

/**
 * The one table of what is served and how. A new kind of archive gets an entry here, and its file extension in
 * `archiveKind` (datasources/address.ts).
 */
const sources: Readonly<Record<SourceKind, Source>> = {
  file: singleFile(),
  pmtiles: singleFile({ content: tilesOf(pmtiles) }),
  terrain: singleFile({ content: terrain }),
  mbtiles: singleFile({ content: tilesOf(mbtiles) }),
  zip: singleFile({ content: inZip(memberFiles) }),
  scenePackage: singleFile({ content: inZip(sceneLayer), isRoot: true }),
  folder: inFolder(memberFiles),
  sceneFolder: inFolder(sceneLayer),
};

/** Finds the reply in the stored data, else in an interop format made from it; undefined if neither has that path. */
export async function findReply(request: DataRequest): Promise<Reply | undefined> {
  const source = sources[sourceKind(request.datasource)];
  return (await source.find(request)) ?? findInteropReply(request, source);
}

function sourceKind({ type, bucketKey, servedFolder }: ServedDatasource): SourceKind {
  const isScene = type === 'i3s';
  if (servedFolder !== null) return isScene ? 'sceneFolder' : 'folder';
  const kind = archiveKind(bucketKey!) ?? 'file';
  if (kind === 'pmtiles' && isTerrain(type)) return 'terrain';
  return kind === 'zip' && isScene ? 'scenePackage' : kind;
}
