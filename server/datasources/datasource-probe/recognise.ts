import { isObject } from '../../base/is-object.ts';
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

/** What was recognised; `template` is the address to register for tiles that the response describes. */
export interface RecognisedResponse extends ProbeResult {
  readonly template: string | undefined;
}

interface Answer {
  readonly url: URL;
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

const nothing = { layers: [], typeProperties: {} };

/** Recognises a response by its content, and only then by its address; undefined if it is unknown. */
export async function parse({
  url,
  bytes,
  isWhole,
}: ProbedResponse): Promise<RecognisedResponse | undefined> {
  const answer = { url: new URL(url), bytes: Buffer.from(bytes), isWhole };
  const found = await recognise(answer);
  return found && { ...found, template: templateOf(answer, found.type) };
}

async function recognise({ url, bytes, isWhole }: Answer): Promise<ProbeResult | undefined> {
  const [a, b, c, d] = bytes;
  if (a === 0x66 && b === 0x67 && c === 0x62 && (d ?? 0) <= 3) return { ...nothing, type: 'flatgeobuf' };
  const isTiff = (a === 0x49 && b === 0x49) || (a === 0x4d && b === 0x4d);
  if (isTiff && [0x2a, 0x2b].some((magic) => c === magic || d === magic)) return { ...nothing, type: 'cog' };
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('<')) return fromCapabilities(text);
  if (!text.startsWith('{')) return undefined;
  const json = isWhole ? jsonOf(text) : undefined;
  if (json) return fromJson(json, url);
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

function fromJson(json: Json, { pathname }: URL): ProbeResult | undefined {
  if (isObject(json['asset']) && isObject(json['root'])) return { ...nothing, type: 'tileset' };
  const { format } = json;
  if (typeof format === 'string' && format.startsWith('quantized-mesh')) return described(json, 'qmesh');
  if (Array.isArray(json['tiles']) && typeof json['tilejson'] === 'string') return fromTileJson(json);
  if (json['type'] === 'FeatureCollection' || json['type'] === 'Feature') return described(json, 'geojson');
  if (typeof json['layerType'] === 'string' && isObject(json['store'])) return described(json, 'i3s');
  const isScene = typeof json['serviceVersion'] === 'string' && /SceneServer/i.test(pathname);
  if (isScene && Array.isArray(json['layers'])) return described(json, 'i3s');
  return isObject(json['generalImageInfo']) ? { ...nothing, type: 'oblique' } : undefined;
}

function described(json: Json, type: NonNullable<ProbeResult['type']>): ProbeResult {
  const names = [json['title'], json['name']].filter((one) => typeof one === 'string');
  const title = names.find((one) => one !== '');
  const bounds = json['bounds'] ?? json['bbox'];
  const bbox = Array.isArray(bounds) ? boxOf(bounds as number[]) : undefined;
  return { ...nothing, type, ...(title !== undefined && { title }), ...(bbox && { bbox }) };
}

/** The address to register is that of the tiles: `tile` of the answer, which the caller fills in. */
function fromTileJson(json: Json): ProbeResult | undefined {
  const [template] = json['tiles'] as unknown[];
  if (typeof template !== 'string') return undefined;
  const isVector = Array.isArray(json['vector_layers']) || /\.(?:pbf|mvt)(?:$|\?)/.test(template);
  const zooms = isVector ? ['minZoom', 'maxZoom'] : ['minLevel', 'maxLevel'];
  const numbers = [json['minzoom'], json['maxzoom']];
  const typeProperties = Object.fromEntries(
    zooms.flatMap((name, i) => (Number.isInteger(numbers[i]) ? [[name, numbers[i]]] : [])),
  );
  return { ...described(json, isVector ? 'vectortiles' : 'wmts'), typeProperties };
}

/** The template of a TileJSON, as the map viewer takes templates of that type. */
function templateOf({ url, bytes }: Answer, type: ProbeResult['type']): string | undefined {
  if (type !== 'vectortiles' && type !== 'wmts') return undefined;
  const json = jsonOf(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  const [template] = Array.isArray(json?.['tiles']) ? (json['tiles'] as unknown[]) : [];
  if (typeof template !== 'string') return undefined;
  const absolute = /^https?:/.test(template) ? template : decodeURI(new URL(template, url).href);
  return type === 'wmts' ? withMatrixNames(absolute) : absolute;
}
