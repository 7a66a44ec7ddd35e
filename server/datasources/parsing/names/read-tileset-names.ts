import { BytesError } from '@platen/formats/bytes/bytes';
import { SourceError } from '@platen/formats/source/source';
import type { Document } from '../document.ts';
import { readNamesOfTileset, type TilesetHost } from './read-names-of-tileset.ts';

export interface TilesetNamesInput {
  /** The path of the tileset.json. */
  readonly entry: string;
  readonly attribute: string;
}

/** Lists the names of features of a tileset with their places. */
export async function parse(input: TilesetNamesInput, host: TilesetHost): Promise<Document> {
  try {
    const list = await readNamesOfTileset(input, host);
    return { text: new TextEncoder().encode(JSON.stringify(list)) };
  } catch (error) {
    if (error instanceof SourceError || error instanceof BytesError)
      return { fault: `The tileset behind this datasource cannot be read: ${error.message}.` };
    throw error;
  }
}
