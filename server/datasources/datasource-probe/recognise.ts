import { isObject } from '../../base/is-object.ts';
import { plainAttribution } from '@platen/contract/plain-attribution';
import { withMatrixNames } from './address-template.ts';
import { boxOf, fromCapabilities, type ProbeResult } from './capabilities.ts';

type Json = Readonly<Record<string, unknown>>;

/** The beginning of what an address answered. */
export interface ProbedResponse {
  readonly url: string;
  readonly bytes: Uint8Array;
  /** Whether these are all bytes of the response. */
  readonly isWhole: boolean;
}

export interface RecognisedResponse extends ProbeResult {
  /** The address to register for tiles that the response describes. */
  readonly template?: string;
}

const nothing = { layers: [], typeProperties: {} };

/** Recognises a response by its content, and only then by its address; undefined if it is unknown. */
export async function parse({
  url,
  bytes,
  isWhole,
}: ProbedResponse): Promise<RecognisedResponse | undefined> {
  const [a, b, c, d] = bytes;
  if (a === 0x66 && b === 0x67 && c === 0x62 && (d ?? 0) <= 3) return { ...nothing, type: 'flatgeobuf' };
  const isTiff = (a === 0x49 && b === 0x49) || (a === 0x4d && b === 0x4d);
  if (isTiff && [0x2a, 0x2b].some((magic) => c === magic || d === magic)) return { ...nothing, type: 'cog' };
  const text = new TextDecoder().decode(bytes).trimStart();
  if (text.startsWith('<')) return fromCapabilities(text);
  if (!text.startsWith('{')) return undefined;
  const json = isWhole ? jsonOf(text) : undefined;
  if (json) return fromJson(json, new URL(url));
  // only the beginning of large responses is available
  return /"type"\s*:\s*"FeatureCollection"/.test(text.slice(0, 65_536))
    ? { ...nothing, type: 'geojson' }
    : undefined;
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function fromJson(json: Json, url: URL): RecognisedResponse | undefined {
  if (isObject(json['asset']) && isObject(json['root'])) return { ...nothing, type: 'tileset' };
  const { format } = json;
  if (typeof format === 'string' && format.startsWith('quantized-mesh')) return described(json, 'qmesh');
  if (Array.isArray(json['tiles']) && typeof json['tilejson'] === 'string') return fromTileJson(json, url);
  if (json['type'] === 'FeatureCollection' || json['type'] === 'Feature') return described(json, 'geojson');
  if (typeof json['layerType'] === 'string' && isObject(json['store'])) return described(json, 'i3s');
  const isScene = typeof json['serviceVersion'] === 'string' && /SceneServer/i.test(url.pathname);
  if (isScene && Array.isArray(json['layers'])) return described(json, 'i3s');
  return isObject(json['generalImageInfo']) ? { ...nothing, type: 'oblique' } : undefined;
}

function described(json: Json, type: NonNullable<ProbeResult['type']>): ProbeResult {
  const names = [json['title'], json['name']].filter((one) => typeof one === 'string');
  const title = names.find((one) => one !== '');
  // I3S calls it the text of the copyright
  const attribution = plainAttribution(json['attribution'] ?? json['copyrightText']);
  const bounds = json['bounds'] ?? json['bbox'];
  const bbox = Array.isArray(bounds) ? boxOf(bounds as number[]) : undefined;
  return {
    ...nothing,
    type,
    ...(title !== undefined && { title }),
    ...(attribution !== undefined && { attribution }),
    ...(bbox && { bbox }),
  };
}

/** The address to register is that of the tiles, as the map viewer takes templates of that type. */
function fromTileJson(json: Json, url: URL): RecognisedResponse | undefined {
  const [template] = json['tiles'] as unknown[];
  if (typeof template !== 'string' || !URL.canParse(template, url)) return undefined;
  const isVector = Array.isArray(json['vector_layers']) || /\.(?:pbf|mvt)(?:$|\?)/.test(template);
  const zooms = isVector ? ['minZoom', 'maxZoom'] : ['minLevel', 'maxLevel'];
  const numbers = [json['minzoom'], json['maxzoom']];
  const typeProperties = Object.fromEntries(
    zooms.flatMap((name, i) => (Number.isInteger(numbers[i]) ? [[name, numbers[i]]] : [])),
  );
  const absolute = /^https?:/.test(template) ? template : withBraces(new URL(template, url).href);
  return {
    ...described(json, isVector ? 'vectortiles' : 'wmts'),
    typeProperties,
    template: isVector ? absolute : withMatrixNames(absolute),
  };
}

/** URLs encode the braces of a template. */
const withBraces = (url: string) => url.replaceAll('%7B', '{').replaceAll('%7D', '}');
