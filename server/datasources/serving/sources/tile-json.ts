import { withMembers } from '../../parsing/parse-file.ts';

/** Completes a TileJSON with the addresses of its tiles. @param base absolute address of the datasource */
export function tilesAt(base: string, extension: string, tileJson: Uint8Array): Uint8Array {
  return withMembers(tileJson, { tiles: [`${base}/{z}/{x}/{y}.${extension}`], scheme: 'xyz' });
}
