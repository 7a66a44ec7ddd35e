import { readFileSync } from 'node:fs';
import { hashedPath } from './hashed-path.ts';

/** The towns that maps with a search find: for the browser, at a path with a content hash. */
export interface PlacesFile {
  /** Within the folder of our scripts. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  readonly body: Buffer;
}

let file: PlacesFile | undefined;

export function placesFile(): PlacesFile {
  if (file === undefined) {
    const body = readFileSync(new URL('places/places.json', import.meta.url));
    const path = hashedPath('/engines/platen/places.json', body);
    file = { name: path.slice(path.lastIndexOf('/') + 1), path, body };
  }
  return file;
}
