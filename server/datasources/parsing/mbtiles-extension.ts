import { imageTypes } from '../serving/sources/tile-address.ts';

/** Returns the extension of tiles by the `format` of the metadata, an extension or a media type; `pbf` if it is neither. */
export function mbtilesExtension(format: string): string {
  const name = format.replace(/^image\//, '').replace('jpeg', 'jpg');
  return Object.hasOwn(imageTypes, name) ? name : 'pbf';
}
