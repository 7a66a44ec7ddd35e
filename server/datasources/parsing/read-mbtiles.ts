import { openMbtiles, type MbtilesFacts } from '@platen/formats/mbtiles/open-mbtiles';
import type { Schema } from '@platen/formats/sqlite/read-schema';
import { documentOf, type Document } from './document.ts';
import { bytesOfHost, type FileHost } from './file-host.ts';
import { mbtilesExtension } from './mbtiles-extension.ts';
import { tileJsonOf } from './tile-json.ts';

/** All that serving needs of an MBTiles file besides its tiles. */
export interface MbtilesDescription extends MbtilesFacts {
  readonly schema: Schema;
  readonly tileJson: Document;
}

const maxFormatLength = 100;

export async function parse({ size }: { size: number }, host: FileHost): Promise<MbtilesDescription> {
  const { metadata, schema, minZoom, maxZoom, bounds, ...rest } = await openMbtiles(
    bytesOfHost(host.read, size),
  );
  const format = rest.format.slice(0, maxFormatLength);
  const tileJson = documentOf(() => tileJsonOf(Object.fromEntries(metadata), mbtilesExtension(format)));
  return { schema, format, minZoom, maxZoom, bounds, tileJson };
}
