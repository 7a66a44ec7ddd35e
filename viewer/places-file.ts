import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

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
    const name = `places-${createHash('sha256').update(body).digest('hex').slice(0, 16)}.json`;
    file = { name, path: `/engines/platen/${name}`, body };
  }
  return file;
}
