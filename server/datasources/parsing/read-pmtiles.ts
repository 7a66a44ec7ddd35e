import { openArchive } from '@platen/geo/pmtiles/archive';
import { ArchiveError, tileType, type ArchiveHeader } from '@platen/geo/pmtiles/header';
import { isObject } from '../../base/is-object.ts';
import { DocumentFault, documentOf, type Document } from './document.ts';
import type { FileHost } from './file-host.ts';

/** The description of the tiles in a PMTiles archive. */
export interface PmtilesDescription {
  readonly header: ArchiveHeader;
  /** The TileJSON without addresses. */
  readonly tileJson: Document;
  /** The layer.json of terrain without addresses. */
  readonly layerJson: Document;
}

const copied = [
  'name',
  'description',
  'attribution',
  'version',
  'vector_layers',
  'legend',
  'encoding',
] as const;

/** @throws ArchiveError */
export async function parse(_input: undefined, host: FileHost): Promise<PmtilesDescription> {
  const archive = await openArchive(host.read);
  const { header } = archive;
  const metadata = await archive.metadata().catch((error: unknown) => {
    if (error instanceof ArchiveError) return error;
    throw error;
  });
  return {
    header,
    tileJson: documentOf(() => tileJsonOf(header, metadata)),
    layerJson: documentOf(() => layerJsonOf(metadata)),
  };
}

/** @throws DocumentFault */
function layerJsonOf(metadata: Record<string, unknown> | ArchiveError): object {
  if (metadata instanceof ArchiveError) throw damaged(metadata);
  const { layer } = metadata;
  if (!isObject(layer) || typeof layer['format'] !== 'string')
    throw new DocumentFault('The archive behind this datasource holds no terrain.');
  return layer;
}

function damaged({ message }: ArchiveError): DocumentFault {
  return new DocumentFault(`The archive behind this datasource is damaged: ${message}.`);
}

/** Damaged metadata does not make the tiles unreadable. @throws DocumentFault */
function tileJsonOf(header: ArchiveHeader, metadata: Record<string, unknown> | ArchiveError): object {
  if (metadata instanceof ArchiveError) throw damaged(metadata);
  return {
    tilejson: '3.0.0',
    ...Object.fromEntries(copied.filter((key) => key in metadata).map((key) => [key, metadata[key]])),
    ...(header.tileType === tileType.mvt && { vector_layers: metadata['vector_layers'] ?? [] }),
    minzoom: header.minZoom,
    maxzoom: header.maxZoom,
    bounds: header.bounds,
    center: header.center,
  };
}
