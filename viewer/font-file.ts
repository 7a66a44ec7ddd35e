import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The typeface of the web interface, which maps have, too: at a path with a content hash. */
export interface FontFile {
  /** Absolute path. */
  readonly path: string;
  readonly body: Buffer;
  /** Of the SIL Open Font Licence, which travels with the font. */
  readonly licence: string;
}

let file: FontFile | undefined;

export function fontFile(): FontFile {
  if (file === undefined) {
    const read = (name: string) =>
      readFileSync(fileURLToPath(import.meta.resolve(`@fontsource-variable/geist/${name}`)));
    const body = read('files/geist-latin-wght-normal.woff2');
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    file = { path: `/engines/platen/geist-${hash}.woff2`, body, licence: read('LICENSE').toString() };
  }
  return file;
}
