import { documentOf, parseObject, unpack, type Document, type PackedBytes } from './document.ts';
import { tileJsonOf } from './tile-json.ts';

/** Makes the TileJSON of a folder of vector tiles from its `metadata.json`, as tilers write it: the metadata of MBTiles. */
export function parse(metadata: PackedBytes): Document {
  return documentOf(() => tileJsonOf(parseObject(unpack(metadata), 'The metadata.json of the tiles'), 'pbf'));
}
