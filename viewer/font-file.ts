import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashedPath } from './hashed-path.ts';

export interface FontFile {
  /** Absolute path with a content hash. */
  readonly path: string;
  readonly body: Buffer;
}

export interface Typeface {
  /**
   * The style sheet that names the font, in a file of its own: browsers tell servers the address of what names a font, and that
   * of a page can be secret.
   */
  readonly style: FontFile;
  readonly font: FontFile;
  /** The SIL Open Font Licence, which travels with the font. */
  readonly licence: string;
}

let typeface: Typeface | undefined;

/** The typeface of the web interface, which maps have, too. */
export function mapTypeface(): Typeface {
  if (typeface === undefined) {
    const address = import.meta.resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2');
    const font = fileOf('woff2', readFileSync(fileURLToPath(address)));
    const name = font.path.slice(font.path.lastIndexOf('/') + 1);
    const rule = `@font-face { font-family: Geist; font-display: swap; font-weight: 100 900; src: url("${name}") format("woff2"); }\n`;
    const licence = import.meta.resolve('@fontsource-variable/geist/LICENSE');
    typeface = {
      style: fileOf('css', Buffer.from(rule)),
      font,
      licence: readFileSync(fileURLToPath(licence), 'utf8'),
    };
  }
  return typeface;
}

const fileOf = (ending: string, body: Buffer): FontFile => ({
  path: hashedPath(`/engines/platen/geist.${ending}`, body),
  body,
});
