import { guessDelimiter } from '../csv/guess-delimiter.ts';
import { looksLikeGeometry } from '../csv/read-coordinates.ts';
import { recogniseBinary } from './recognise-binary.ts';
import { recogniseJson } from './recognise-json.ts';
import { recogniseXml } from './recognise-xml.ts';
import { data, notRecognised, unsupported, type Recognised } from './recognised.ts';

/** Bytes of a file that recognition examines. */
export const headBytes = 1 << 16;

/**
 * Recognises a file by its content; the name decides only where the content does not.
 * @param head the first `headBytes` bytes, or the whole file
 */
export function recognise(head: Buffer, name: string): Recognised {
  if (head.length === 0) return notRecognised('an empty file', 'upload it again');
  const binary = recogniseBinary(head, name);
  if (binary !== undefined) return binary;
  const { text, utf16 } = decodeHead(head);
  // RFC 8142 begins with a record separator.
  // oxlint-disable-next-line no-control-regex
  const start = text.replace(/^[\s\x1e\ufeff]+/, '');
  if (start === '') return notRecognised('a file that contains only white space', 'upload it again');
  if (/^<(?:!doctype html|html|head|body|script)\b/i.test(start)) {
    return notRecognised(
      'a web page',
      'it may be the error message of a server; open it to read it, and download the data again',
    );
  }
  if (start.startsWith('<')) {
    const xml = recogniseXml(head);
    if (xml !== undefined) return xml;
  }
  if (start.startsWith('{') || start.startsWith('[')) {
    const json = recogniseJson(start);
    return utf16 && json.is === 'data' ? unsupported('JSON in UTF-16', 'save it in UTF-8') : json;
  }
  if (isBinary(text)) {
    return notRecognised(
      'a file of unknown type',
      'upload GeoJSON, GeoPackage, FlatGeobuf, Shapefile, CSV, KML, GML, GPX or TopoJSON',
    );
  }
  return recogniseText(start, name, head.length < headBytes);
}

/** Tables may contain stray control characters; zero bytes or many others indicate a binary file. */
function isBinary(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const controls: readonly string[] = text.match(/[\0-\x08\x0e-\x1f]/g) ?? [];
  return controls.includes('\0') || controls.length * 100 > text.length;
}

function decodeHead(head: Buffer): { text: string; utf16: boolean } {
  const [a, b] = head;
  const little = (a === 0xff && b === 0xfe) || (a === 0x7b && b === 0);
  const big = (a === 0xfe && b === 0xff) || (a === 0 && b === 0x7b);
  if (little || big)
    return { text: new TextDecoder(big ? 'utf-16be' : 'utf-16le').decode(head), utf16: true };
  // Only the ASCII characters matter here.
  return { text: head.toString('latin1', head[0] === 0xef && head[1] === 0xbb ? 3 : 0), utf16: false };
}

const convert = 'save its features as GeoPackage or GeoJSON';

/** Plain texts by how they begin. */
const texts: readonly (readonly [beginning: RegExp, recognised: Recognised])[] = [
  [/^!table\b/i, unsupported('a MapInfo table (.tab)', convert)],
  [/^version\s+\d+\s+charset\b/i, unsupported('a MapInfo exchange file (.mif)', convert)],
  [/^(?:999\r?\n[^\n]*\n\s*)?0\r?\n\s*SECTION\b/, unsupported('a DXF drawing', convert)],
  [/^(?:ncols|nrows|dsaa)\b/i, unsupported('a grid (ESRI ASCII or Surfer)', 'use a job for terrain')],
  [/^ISO-10303-21;/, unsupported('an IFC or STEP model', 'use a job for 3D objects')],
  [
    /^(?:PROJCS|GEOGCS|PROJCRS|GEOGCRS|COMPD_CS|LOCAL_CS)\s*\[/,
    notRecognised('the definition of a coordinate system (.prj)', 'upload it together with its data'),
  ],
  [/^%!PS/, unsupported('a PostScript file', 'request the original data')],
  [/^SQLite|^(?:--|CREATE TABLE|INSERT INTO|BEGIN;)/i, unsupported('a database dump', convert)],
];

function recogniseText(text: string, name: string, whole: boolean): Recognised {
  const known = texts.find(([beginning]) => beginning.test(text));
  if (known !== undefined) return known[1];
  if (/\.(?:csv|tsv|tab)$/i.test(name) || /^sep=./i.test(text)) return data('csv');
  const delimiter = guessDelimiter({ bytes: Buffer.from(text), start: 0, whole });
  const lines = text.split(/[\r\n]+/, 3);
  if (delimiter !== undefined || lines.some((line) => looksLikeGeometry(line.replace(/^"/, ''))))
    return data('csv');
  return notRecognised(
    'a text that is not a table',
    'upload GeoJSON, GeoPackage, FlatGeobuf, Shapefile, CSV, KML, GML, GPX or TopoJSON',
  );
}
