import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { BytesError } from '@platen/formats/bytes/bytes';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { Context } from '../base/context.ts';
import { ParserStopped } from '../base/parsers/parse-error.ts';
import type { ObjectFile } from '../files/objects/store.ts';
import { findFileAsOf } from '../files/revisions/pinned-revision.ts';
import { archiveKind } from './address.ts';
import { describeMbtiles, describePmtiles } from './parsing/parse-file.ts';
import { storedBytes } from './parsing/stored-bytes.ts';

/**
 * Adds the zooms and the extent that a file of tiles declares, unless the datasource sets them: a layer without them
 * requests tiles that do not exist. @param at time of the revision, as its `until`; undefined means now
 */
export async function withTileProperties(
  context: Context,
  datasource: Datasource,
  at?: number,
): Promise<Datasource> {
  const { type, sourceProperties: source, typeProperties, bbox } = datasource;
  const isTiles = type === 'vectortiles' || type === 'tms' || type === 'wmts';
  if (!isTiles || source.type === 'external' || archiveKind(source.dataBucketKey) === undefined)
    return datasource;
  const place = { bucketId: source.dataBucketId, key: source.dataBucketKey };
  const file = await findFileAsOf(context.db, { ...place, at });
  const found = file && (await readTiles(context, file));
  if (!found) return datasource;
  const { minZoom, maxZoom, bounds } = found;
  const hasZooms = minZoom !== undefined && maxZoom !== undefined;
  const zooms: FreeForm = !hasZooms
    ? {}
    : type === 'vectortiles'
      ? { minZoom, maxZoom }
      : { minLevel: minZoom, maxLevel: maxZoom };
  return {
    ...datasource,
    ...(bbox === undefined && bounds && isExtent(bounds) && { bbox: [...bounds] }),
    typeProperties: { ...zooms, ...typeProperties },
  };
}

interface TileProperties {
  readonly minZoom: number | undefined;
  readonly maxZoom: number | undefined;
  readonly bounds: readonly number[] | undefined;
}

/** undefined if it is not an archive of tiles, or was damaged since it was registered. */
async function readTiles(context: Context, file: ObjectFile): Promise<TileProperties | undefined> {
  const kind = archiveKind(file.key);
  const bytes = storedBytes(context.store, file);
  const place = { ...file, bucketId: file.dataBucketId };
  try {
    if (kind === 'pmtiles') return (await describePmtiles(context, place, bytes)).header;
    return kind === 'mbtiles' ? await describeMbtiles(context, place, bytes) : undefined;
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof BytesError || error instanceof ParserStopped)
      return undefined;
    throw error;
  }
}

function isExtent([west, south, east, north]: readonly number[]): boolean {
  return west! >= -180 && east! <= 180 && south! >= -90 && north! <= 90 && west! < east! && south! < north!;
}
