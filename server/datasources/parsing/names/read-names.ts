import { ArchiveError } from '@platen/geo/pmtiles/header';
import { TileError } from '@platen/geo/mvt/read-tile';
import type { Document } from '../document.ts';
import { bytesOfHost, type FileHost } from '../file-host.ts';
import { SourceError } from '@platen/formats/source/source';
import { readNamesOfFlatGeobuf } from './read-names-of-flatgeobuf.ts';
import { readNamesOfTiles } from './read-names-of-tiles.ts';

export interface NamesInput {
  readonly size: number;
  readonly attribute: string;
  readonly format: 'pmtiles' | 'flatgeobuf';
}

/** Lists the names of features, which are the values of an attribute, with their places. */
export async function parse({ size, attribute, format }: NamesInput, host: FileHost): Promise<Document> {
  try {
    const read = format === 'flatgeobuf' ? readNamesOfFlatGeobuf : readNamesOfTiles;
    const list = await read(bytesOfHost(host.read, size), attribute);
    return { text: new TextEncoder().encode(JSON.stringify(list)) };
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof TileError)
      return { fault: `The archive behind this datasource is damaged: ${error.message}.` };
    if (error instanceof SourceError)
      return { fault: `The FlatGeobuf behind this datasource cannot be read: ${error.message}.` };
    throw error;
  }
}
