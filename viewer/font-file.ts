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
    const font = import.meta.resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2');
    const licence = import.meta.resolve('@fontsource-variable/geist/LICENSE');
    const body = readFileSync(fileURLToPath(font));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    file = {
      path: `/engines/platen/geist-${hash}.woff2`,
      body,
      licence: readFileSync(fileURLToPath(licence), 'utf8'),
    };
  }
  return file;
}
