import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly, viewOf } from '../bytes/read-exactly.ts';
import { decodeEntities } from '../xml/decode-entities.ts';

/** A scan of an E57 file (ASTM E2807), as its XML section describes it. */
export interface E57Scan {
  readonly name: string;
  readonly points: number;
  readonly fields: readonly string[];
  /** In metres, in the coordinate system of the scanner unless a pose transforms them. */
  readonly bounds: readonly [number, number, number, number, number, number] | undefined;
  readonly hasPose: boolean;
}

export interface E57 {
  readonly version: string;
  readonly scans: readonly E57Scan[];
  readonly images: number;
  /** WKT, or empty. */
  readonly crs: string;
  readonly library: string | undefined;
}

const maxXmlBytes = 16 << 20;
const checksumBytes = 4;
const maxScans = 500;

export function isE57(head: Uint8Array): boolean {
  return Buffer.from(head).toString('latin1', 0, 8) === 'ASTM-E57';
}

/** @throws BytesError */
export async function readE57(bytes: Bytes): Promise<E57> {
  const view = viewOf(await readExactly(bytes, 0, 48));
  const long = (at: number) => Number(view.getBigUint64(at, true));
  const [offset, length, pageBytes] = [long(24), long(32), long(40)];
  if (long(16) > bytes.size) throw new BytesError('it is cut off');
  if (!(pageBytes > checksumBytes && pageBytes <= 1 << 20) || length > maxXmlBytes)
    throw new BytesError('its header is damaged');
  const xml = new TextDecoder().decode(await readPages(bytes, { offset, length, pageBytes }));
  if (!xml.includes('<e57Root')) throw new BytesError('its XML section is damaged');
  const data = insideOf(xml, 'data3D');
  const images = insideOf(xml, 'images2D');
  return {
    version: `${view.getUint32(8, true)}.${view.getUint32(12, true)}`,
    scans: data
      .split(/<\/points>/)
      .slice(0, -1)
      .slice(0, maxScans)
      .map(scanIn),
    images: images.split(/<vectorChild\b/).length - 1,
    crs: textIn(xml, 'coordinateMetadata'),
    library: textIn(xml, 'e57LibraryVersion').slice(0, 200) || undefined,
  };
}

interface Span {
  readonly offset: number;
  readonly length: number;
  readonly pageBytes: number;
}

/** Each page ends with a checksum, which the length does not count. */
async function readPages(bytes: Bytes, { offset, length, pageBytes }: Span): Promise<Uint8Array> {
  const content = pageBytes - checksumBytes;
  const start = offset % pageBytes;
  const pages = Math.ceil((start + length) / content);
  const raw = await bytes.read(offset - start, pages * pageBytes);
  const parts: Uint8Array[] = [];
  for (let page = 0; page < pages; page++)
    parts.push(raw.subarray(page * pageBytes, page * pageBytes + content));
  const joined = Buffer.concat(parts).subarray(start, start + length);
  if (joined.length < length) throw new BytesError('it is cut off');
  return joined;
}

function scanIn(xml: string): E57Scan {
  const bound = (name: string) => Number(textIn(xml, name) || NaN);
  const bounds = [
    ...(['xMinimum', 'yMinimum', 'zMinimum'] as const),
    ...(['xMaximum', 'yMaximum', 'zMaximum'] as const),
  ].map(bound) as unknown as NonNullable<E57Scan['bounds']>;
  return {
    name: textIn(xml, 'name').slice(0, 200),
    points: Number(/<points\b[^<>]*\brecordCount="(\d+)"/.exec(xml)?.[1] ?? 0),
    fields: [...insideOf(xml, 'prototype').matchAll(/<([\w:]+)[\s/>]/g)]
      .map(([, name]) => name!)
      .slice(0, 100),
    bounds: bounds.every(Number.isFinite) ? bounds : undefined,
    hasPose: /<pose\b/.test(xml),
  };
}

/** The content of the first element of this name. A regular expression would take too long for a hostile text. */
function insideOf(xml: string, name: string): string {
  let start = xml.indexOf(`<${name}`);
  while (start >= 0 && /\w/.test(xml[start + name.length + 1] ?? ' '))
    start = xml.indexOf(`<${name}`, start + 1);
  const opened = start < 0 ? -1 : xml.indexOf('>', start);
  if (opened < 0 || xml[opened - 1] === '/') return '';
  const end = xml.indexOf(`</${name}>`, opened);
  return end < 0 ? '' : xml.slice(opened + 1, end);
}

const opening = '<![CDATA[';
const closing = ']]>';

function textIn(xml: string, name: string): string {
  const inner = insideOf(xml, name).trim();
  if (inner.startsWith(opening) && inner.endsWith(closing))
    return inner.slice(opening.length, -closing.length).trim();
  const decoded = decodeEntities(inner);
  return 'text' in decoded ? decoded.text : '';
}
