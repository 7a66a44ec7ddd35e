import type { TilesetInfo } from './tile-sink.ts';

const plainKeys = ['name', 'description', 'attribution', 'type', 'version', 'generator'] as const;

/**
 * The rows of MBTiles' table `metadata` (MBTiles 1.3, "Metadata"). All values are text; `json` holds what only vector
 * tiles have.
 */
export function mbtilesMetadata(info: TilesetInfo): Record<string, string> {
  const { metadata, minZoom, maxZoom, bounds, center } = info;
  const rows: Record<string, string> = { name: 'tiles' };
  for (const key of plainKeys) {
    const value = metadata[key];
    if (typeof value === 'string') rows[key] = value;
  }
  const { vector_layers = [], tilestats } = metadata;
  return {
    ...rows,
    format: 'pbf',
    minzoom: String(minZoom),
    maxzoom: String(maxZoom),
    bounds: bounds.join(','),
    center: center.join(','),
    json: JSON.stringify({ vector_layers, ...(tilestats !== undefined && { tilestats }) }),
  };
}
