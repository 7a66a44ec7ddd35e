import { Failure } from '../../../base/failure.ts';
import type { ServedFile } from '../file-headers.ts';
import type { Json } from '../json.ts';
import type { ServingCache } from '../serving-cache.ts';
import { contentOf } from '../send-packed.ts';

const maxMetadataBytes = 16 * 1024 * 1024;

/**
 * Returns the TileJSON 3.0 of a folder of vector tiles from its `metadata.json`: the metadata rows of MBTiles as one
 * object, as tilers write it. undefined if the bytes of that file no longer exist. @throws Failure `unprocessable`
 */
export async function tileJsonOfFolder(
  cache: ServingCache,
  metadata: ServedFile,
  base: string,
): Promise<Json | undefined> {
  const bytes = await contentOf(cache, metadata, maxMetadataBytes);
  return bytes && tileJsonOf(parse(bytes), base, 'pbf');
}

/** Returns the TileJSON of MBTiles metadata; tiles with the extension `pbf` are vector tiles. */
export function tileJsonOf(metadata: Json, base: string, extension: string): Json {
  const { json } = metadata;
  const vectorMetadata = typeof json === 'string' ? parse(Buffer.from(json)) : metadata;
  const { vector_layers: layers } = vectorMetadata;
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
    ...numbers, // undefined values are left out of JSON
  };
}

/** Reads an array of numbers, one number, or numbers in a text separated by commas. */
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
    throw new Failure('unprocessable', 'The metadata.json of the tiles is not valid JSON.', { cause: error });
  }
  throw new Failure('unprocessable', 'The metadata.json of the tiles is not a JSON object.');
}
