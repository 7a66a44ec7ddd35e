import { BytesError } from '@platen/formats/bytes/bytes';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import { addressOf, archiveKind, isTerrain } from '../../datasources/address.ts';
import { Failure } from '../../base/failure.ts';
import { styleOf } from '../../datasources/serving/sources/style.ts';
import { filePart, findFile, folderPart, type SourceContext } from './folder-part.ts';
import { followedBy, type Entry, type Part } from './part.ts';
import type { BundleSource } from './sources.ts';
import {
  describeTerrain,
  describeTiles,
  jsonEntry,
  tileEnding,
  tileJsonEntry,
  tilesPart,
} from './tiles-part.ts';
import { zipPart } from './zip-part.ts';

/** The form of a datasource in a bundle, because a static server can only serve files. */
export type Layout = 'file' | 'folder' | 'zip' | 'pmtiles' | 'mbtiles';

/** Why a source is in no bundle, in a sentence; undefined: it is. */
export function reasonToLeaveOut({ type, sourceProperties }: BundleSource): string | undefined {
  if (sourceProperties.type === 'external') return undefined;
  // addresses of it have no ending, a query, and a folder of the same name: no static server offers that
  if (type === 'i3s')
    return 'A scene layer (I3S) needs a service that answers its addresses; a static web server cannot. Convert it to 3D Tiles.';
  return undefined;
}

const tiles = new Set(['vectortiles', 'wmts', 'tms']);

/** Chosen so that client addresses work; data that is only addressed by its own name remains as it is. */
export function layoutOf({ type, bucketKey, servedFolder, sourceProperties }: BundleSource): Layout {
  if (servedFolder !== null) return 'folder';
  const kind = archiveKind(bucketKey!);
  if (kind === 'zip') {
    const isWhole = ['generic', 'geojson', 'flatgeobuf', 'cog', 'i3s'].includes(type);
    return isWhole && !(sourceProperties.type === 'internal' && sourceProperties.urlSuffix) ? 'file' : 'zip';
  }
  if (kind === 'pmtiles' && isTerrain(type)) return kind;
  return kind !== undefined && tiles.has(type) ? kind : 'file';
}

/** All files of a datasource. Errors in its data are reported with its name. */
export function partOfSource(sourceContext: SourceContext, source: BundleSource): Part {
  const part = plainPart(sourceContext, source);
  return {
    async *list(from) {
      try {
        yield* part.list(from);
      } catch (error) {
        throw explained(error, source);
      }
    },
    async find(path) {
      try {
        const file = await part.find(path);
        return file && { ...file, open: () => file.open().catch(explain) };
      } catch (error) {
        throw explained(error, source);
      }
    },
  };

  function explain(error: unknown): never {
    throw explained(error, source);
  }
}

function explained(error: unknown, { name }: BundleSource): unknown {
  if (error instanceof ArchiveError || error instanceof BytesError)
    return new Failure('unprocessable', `The data of “${name}” is damaged: ${error.message}.`, {
      cause: error,
    });
  return error;
}

function plainPart(sourceContext: SourceContext, source: BundleSource): Part {
  const layout = layoutOf(source);
  if (layout === 'file') return filePart(sourceContext, source);
  const isVector = source.type === 'vectortiles';
  if (layout === 'pmtiles' && isTerrain(source.type))
    return followedBy(tilesPart(sourceContext, source, layout), async () => [
      await describeTerrain(sourceContext, source),
    ]);
  if (layout === 'pmtiles' || layout === 'mbtiles')
    return followedBy(tilesPart(sourceContext, source, layout), async () => [
      await describeTiles(sourceContext, source, layout),
      ...styles(source),
    ]);
  const part = layout === 'zip' ? zipPart(sourceContext, source) : folderPart(sourceContext, source);
  if (!isVector) return part;
  return followedBy(part, async () => [
    ...(await describeFolder(sourceContext, source, part)),
    ...styles(source),
  ]);
}

function styles({ style }: BundleSource): Entry[] {
  const body = styleOf(style, '.');
  return body ? [jsonEntry('style.json', body)] : [];
}

async function describeFolder(
  sourceContext: SourceContext,
  source: BundleSource,
  part: Part,
): Promise<Entry[]> {
  if ((await part.find('metadata.json')) === undefined) return [];
  const { archives } = sourceContext.library;
  const folder = source.servedFolder;
  const metadata =
    folder === null
      ? await archives.member((await findFile(sourceContext, source, source.bucketKey!))!, 'metadata.json')
      : await findFile(sourceContext, source, `${folder}metadata.json`);
  const tileJson = metadata && (await sourceContext.library.document(metadata, 'folderMetadata'));
  return tileJson ? [tileJsonEntry(tileJson, { tiles: ['{z}/{x}/{y}.pbf'], scheme: 'xyz' })] : [];
}

/**
 * The entry point of clients, relative to the files: a file, a template of tiles, or an empty string for the folder.
 */
export function startOf(source: BundleSource): string {
  const address = addressOf(source, '');
  return address.slice(`/${source._id}/`.length);
}

/** The same for an address within the datasource that a user entered, because names can differ in a bundle. */
export function startWithin(source: BundleSource, rest: string): string {
  const layout = layoutOf(source);
  if (layout === 'file') return startOf(source);
  if (layout === 'folder' || layout === 'zip') return rest;
  return rest.replace(/(\})\.\w+$/, `$1.${tileEnding(source)}`);
}

/** Readers of these take ranges of the file, which not every web server gives. */
export function needsRanges(source: BundleSource): boolean {
  if (['cog', 'flatgeobuf', 'panorama'].includes(source.type)) return true;
  return layoutOf(source) === 'file' && /\.(?:pmtiles|fgb|tiff?|copc\.laz)$/i.test(source.bucketKey!);
}
