// Runs in the browser, as a part of start.ts: a base map whose server does not answer leaves nothing but the world map
// below it, which visitors cannot tell from a map without it.

interface Layer {
  readonly name: string;
  readonly active: boolean;
}
export interface BaseMapLayers {
  readonly stateChanged: { addEventListener(listener: (layer: Layer) => void): unknown };
  [Symbol.iterator](): Iterator<Layer>;
}
interface LayerConfig {
  readonly type?: string;
  readonly name?: string;
  readonly url?: string;
  readonly minLevel?: number;
  readonly extent?: { readonly coordinates?: readonly number[] };
  readonly properties?: { readonly title?: string };
}

const maxWaitMs = 15_000;

/**
 * Asks the server of each base map for one answer when it is first shown, and reports its title if there is none.
 * @param modules the configuration of the map
 */
export function watchBaseMaps(
  layers: BaseMapLayers,
  modules: readonly Readonly<Record<string, unknown>>[],
  report: (title: string) => void,
): void {
  const own = modules.find(({ _id }) => _id === 'platen-base-maps')?.['layers'];
  if (!Array.isArray(own)) return;
  const waiting = new Map((own as LayerConfig[]).map((layer) => [layer.name, layer]));
  const look = ({ name, active }: Layer): void => {
    const layer = waiting.get(name);
    if (layer === undefined || !active) return;
    waiting.delete(name);
    void answers(layer).then((is) => is || report(layer.properties?.title ?? name));
  };
  layers.stateChanged.addEventListener(look);
  for (const layer of layers) look(layer);
}

/** A missing tile is an answer: not every server has tiles everywhere. */
async function answers(layer: LayerConfig): Promise<boolean> {
  const sample = sampleOf(layer);
  if (sample === undefined) return true;
  try {
    const signal = AbortSignal.timeout(maxWaitMs);
    const { type, status } = await fetch(sample.address, { mode: sample.mode, signal });
    return type === 'opaque' || status < 400 || status === 404;
  } catch {
    return false;
  }
}

/** Tiles and terrain are only drawn if any page may read them; descriptions of services need not be readable. */
function sampleOf(layer: LayerConfig): { address: string; mode: RequestMode } | undefined {
  const { type, url = '', properties } = layer;
  // the world maps come from where the page does; archives have been opened
  const isOurs = properties?.title?.startsWith('platenBaseMaps.') === true;
  if (isOurs || !/^https?:/.test(url) || url.includes('#pmtiles/')) return undefined;
  const described = (service: string) => {
    const separator = url.includes('?') ? '&' : '?';
    const address = `${url}${separator}SERVICE=${service}&REQUEST=GetCapabilities`;
    return { address, mode: 'no-cors' } as const;
  };
  if (type === 'WMSLayer') return described('WMS');
  if (type === 'TerrainLayer') return { address: `${url.replace(/\/$/, '')}/layer.json`, mode: 'cors' };
  if (type !== 'WMTSLayer') return undefined;
  return url.includes('{TileMatrix}') ? { address: middleTile(layer, url), mode: 'cors' } : described('WMTS');
}

/** The tile of the first zoom level in the middle of the extent. */
function middleTile({ minLevel = 0, extent }: LayerConfig, template: string): string {
  const [west = -180, south = -85, east = 180, north = 85] = extent?.coordinates ?? [];
  const side = 2 ** minLevel;
  const latitude = ((south + north) / 2) * (Math.PI / 180);
  const column = Math.floor(((west + east) / 720 + 0.5) * side);
  const row = Math.floor((0.5 - Math.asinh(Math.tan(latitude)) / (2 * Math.PI)) * side);
  return template
    .replace('{TileMatrix}', String(minLevel))
    .replace('{TileCol}', String(column))
    .replace('{TileRow}', String(row));
}
