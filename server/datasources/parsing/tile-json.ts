import { isObject } from '../../base/is-object.ts';
import { parseJson } from './document.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The TileJSON 3.0 of the metadata of MBTiles, without its addresses; tiles with the extension `pbf` are vector tiles.
 * @throws DocumentFault
 */
export function tileJsonOf(metadata: Json, extension: string): Json {
  const { json } = metadata;
  const inner = typeof json === 'string' ? parseJson(json, 'The metadata.json of the tiles') : metadata;
  const layers = isObject(inner) ? inner['vector_layers'] : undefined;
  const texts = (['name', 'description', 'attribution', 'version'] as const).filter(
    (key) => typeof metadata[key] === 'string',
  );
  return {
    tilejson: '3.0.0',
    ...Object.fromEntries(texts.map((key) => [key, metadata[key]])),
    ...(extension === 'pbf' && { vector_layers: Array.isArray(layers) ? (layers as unknown[]) : [] }),
    minzoom: numbersOf(metadata['minzoom'], 1)?.[0],
    maxzoom: numbersOf(metadata['maxzoom'], 1)?.[0],
    bounds: numbersOf(metadata['bounds'], 4),
    center: numbersOf(metadata['center'], 3), // undefined values are left out of JSON
  };
}

/** Reads an array of numbers, one number, or numbers in a text separated by commas. */
function numbersOf(value: unknown, count: number): number[] | undefined {
  const parts: unknown[] =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
  const numbers = parts.map((part) => (part === '' || typeof part === 'object' ? NaN : Number(part)));
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}
