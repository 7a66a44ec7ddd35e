/** The description of a terrain, as Cesium reads `layer.json`. */
export interface TerrainLayer {
  /** `quantized-mesh-1.0` */
  readonly format: string;
  readonly version: string | undefined;
  /** `tms`: rows count from the south. */
  readonly scheme: string;
  /** `EPSG:4326` */
  readonly projection: string;
  /** `{z}/{x}/{y}.terrain?v={version}` */
  readonly template: string;
  readonly name: string | undefined;
  readonly attribution: string | undefined;
  readonly bounds: readonly [number, number, number, number] | undefined;
  readonly minZoom: number | undefined;
  readonly maxZoom: number | undefined;
  /** Tiles of each zoom; undefined: it lists none. */
  readonly available: readonly (readonly TileRange[])[] | undefined;
  readonly extensions: readonly string[];
  /** Whether the tiles themselves list the available tiles below them. */
  readonly hasMetadataAvailability: boolean;
  readonly parentUrl: string | undefined;
}

export interface TileRange {
  readonly startX: number;
  readonly startY: number;
  readonly endX: number;
  readonly endY: number;
}

const maxTextLength = 2000;
const maxRanges = 100_000;
const maxZooms = 31;

/** @returns undefined where it describes no terrain */
export function parseLayerJson(text: string): TerrainLayer | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const json = objectOf(parsed);
  const format = textOf(json['format']);
  const tiles: unknown[] = Array.isArray(json['tiles']) ? json['tiles'] : [];
  const template = textOf(tiles[0]);
  if (format === undefined || template === undefined) return undefined;
  const extensions: unknown[] = Array.isArray(json['extensions']) ? json['extensions'] : [];
  return {
    format,
    template,
    version: textOf(json['version']),
    scheme: textOf(json['scheme']) ?? 'tms',
    projection: textOf(json['projection']) ?? 'EPSG:4326',
    name: textOf(json['name']),
    attribution: textOf(json['attribution']),
    bounds: boundsOf(json['bounds']),
    minZoom: wholeOf(json['minzoom']),
    maxZoom: wholeOf(json['maxzoom']),
    available: availableOf(json['available']),
    extensions: extensions.flatMap((one) => textOf(one) ?? []).slice(0, 20),
    hasMetadataAvailability: typeof json['metadataAvailability'] === 'number',
    parentUrl: textOf(json['parentUrl']),
  };
}

function availableOf(value: unknown): TerrainLayer['available'] {
  if (!Array.isArray(value)) return undefined;
  let count = 0;
  return value.slice(0, maxZooms).map((ranges) => {
    if (!Array.isArray(ranges)) return [];
    return ranges.flatMap((range) => {
      const { startX, startY, endX, endY } = objectOf(range);
      const numbers = [startX, startY, endX, endY].map(wholeOf);
      if (count >= maxRanges || numbers.includes(undefined)) return [];
      count++;
      const [fromX, fromY, toX, toY] = numbers as [number, number, number, number];
      return [{ startX: fromX, startY: fromY, endX: toX, endY: toY }];
    });
  });
}

function boundsOf(value: unknown): TerrainLayer['bounds'] {
  const isBox = Array.isArray(value) && value.length === 4 && value.every((one) => Number.isFinite(one));
  return isBox ? (value as [number, number, number, number]) : undefined;
}

function wholeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, maxTextLength) : undefined;
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
