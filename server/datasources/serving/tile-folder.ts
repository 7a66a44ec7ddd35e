import { Failure } from '../../base/failure.ts';
import type { ServedFile } from './file-headers.ts';
import type { Library } from './library.ts';
import { sendJson } from './reply.ts';
import type { Exchange } from './send-bytes.ts';
import { contentOf } from './send-packed.ts';

const longestMetadataBytes = 16 * 1024 * 1024;

/**
 * Answers with the TileJSON 3.0 of a folder of vector tiles, made of the `metadata.json` in it: the rows of MBTiles'
 * metadata as one object, as tilers write it; `base` is the absolute address of the datasource.
 */
export async function sendTileJsonOfFolder(
  library: Library,
  { metadata: file, base }: { metadata: ServedFile; base: string },
  exchange: Exchange,
): Promise<boolean> {
  const body = await tileJsonOfFolder(library, file, base);
  return body !== undefined && sendJson(body, exchange);
}

/** undefined: the bytes of its `metadata.json` are no more. @throws Failure `unprocessable` */
export async function tileJsonOfFolder(
  library: Library,
  metadata: ServedFile,
  base: string,
): Promise<Json | undefined> {
  const bytes = await contentOf(library, metadata, longestMetadataBytes);
  return bytes && tileJsonOf(parse(bytes), base, 'pbf');
}

type Json = Readonly<Record<string, unknown>>;

/** The TileJSON of the rows of MBTiles' metadata; vectors where the tiles' extension is `pbf`. */
export function tileJsonOf(metadata: Json, base: string, extension: string): Json {
  const { json } = metadata;
  const ofVectors = typeof json === 'string' ? parse(Buffer.from(json)) : metadata;
  const { vector_layers: layers } = ofVectors;
  const texts = (['name', 'description', 'attribution', 'version'] as const).filter(
    (key) => typeof metadata[key] === 'string',
  );
  const numbers = {
    minzoom: numbersOf(metadata['minzoom'], 1)?.[0],
    maxzoom: numbersOf(metadata['maxzoom'], 1)?.[0],
    bounds: numbersOf(metadata['bounds'], 4),
    center: numbersOf(metadata['center'], 3),
  };
  return {
    tilejson: '3.0.0',
    ...Object.fromEntries(texts.map((key) => [key, metadata[key]])),
    ...(extension === 'pbf' && { vector_layers: Array.isArray(layers) ? (layers as unknown[]) : [] }),
    tiles: [`${base}/{z}/{x}/{y}.${extension}`],
    scheme: 'xyz',
    ...numbers, // what is undefined is no part of JSON
  };
}

/** Numbers as such, or in one text with commas between them. */
function numbersOf(value: unknown, count: number): number[] | undefined {
  const parts: unknown[] =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
  const numbers = parts.map((part) => (part === '' || typeof part === 'object' ? NaN : Number(part)));
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}

function parse(bytes: Uint8Array): Json {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Json;
  } catch (error) {
    throw new Failure('unprocessable', 'The metadata.json of the tiles is no valid JSON.', { cause: error });
  }
  throw new Failure('unprocessable', 'The metadata.json of the tiles is no JSON object.');
}
