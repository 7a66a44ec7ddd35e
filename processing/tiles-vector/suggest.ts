import { presets, type PresetName } from './presets.ts';

/** What is known of the inputs before they are read. */
export interface TilingFacts {
  /** How many features, or what share of them, has each type. */
  readonly geometryTypes: Readonly<Record<'Point' | 'LineString' | 'Polygon', number>>;
  /** Undefined: unknown; guessed from the size. */
  readonly featureCount: number | undefined;
  /** Unpacked. */
  readonly bytes: number;
  /** Whether a position takes 16 bytes, and attributes come without their names; otherwise it is text. */
  readonly isBinary: boolean;
  /** West, south, east, north in degrees; undefined: unknown. West may be above east. */
  readonly bbox: readonly [number, number, number, number] | undefined;
  readonly layers: number;
  /** The typical length of an edge, or of the gap between neighbouring points, where a sample tells it. */
  readonly detailMetres?: number | undefined;
}

/** What to begin with, and what it would come to: estimates, which may be wrong by half. */
export interface TilingSuggestion {
  readonly preset: PresetName;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Of the finished tileset; an estimate. */
  readonly expectedBytes: number;
  /** From the start of the job to its end, on this machine when it has nothing else to do; an estimate. */
  readonly expectedSeconds: number;
  /** Why, in a sentence or two for the person who decides. */
  readonly reason: string;
}

const equatorMetres = 40_075_017;
const deepestGuess = 14;
/** As when the zoom is guessed from all of the data (density.ts): a detail spans so many of 4096 tile units. */
const unitsPerDetail = 64;
const leastPointZoom = 10;

/** @param cores how many the job may use */
export function suggestTiling(given: TilingFacts, cores: number): TilingSuggestion {
  const isPlaced = given.bbox?.every(Number.isFinite) === true;
  const isSampled = given.detailMetres !== undefined && given.detailMetres > 0;
  const facts = {
    ...given,
    bbox: isPlaced ? given.bbox : undefined,
    detailMetres: isSampled ? given.detailMetres : undefined,
  };
  const scale = scaleOf(facts);
  const preset = choosePreset(facts, scale);
  const { minZoom, maxZoom } = chooseZooms(preset, facts, scale);
  const expectedBytes = expectBytes(facts, scale, { minZoom, maxZoom });
  return {
    preset,
    minZoom,
    maxZoom,
    expectedBytes,
    expectedSeconds: expectSeconds(scale.textBytes, expectedBytes, cores),
    reason: explain(preset, { minZoom, maxZoom }, facts, scale),
  };
}

interface Scale {
  readonly features: number;
  /** As GeoJSON would have them. */
  readonly textBytes: number;
  readonly positionsPerFeature: number;
  /** Of the box; undefined: unknown. */
  readonly widthMetres: number | undefined;
  readonly heightMetres: number | undefined;
  /** What can be told apart; undefined: unknown. */
  readonly detailMetres: number | undefined;
}

/** Attributes and punctuation of a feature, and one position, in GeoJSON: means of OSM extracts. */
const bytesPerFeature = 180;
const bytesPerPosition = 20;
const usualFeatureBytes = 320;
/** How much longer text is. */
const textPerBinary = 1.7;
/** Of its box that data usually covers: people live in some places and not in others, and one stray feature widens it. */
const occupiedShare = 0.01;

function scaleOf({ bytes, isBinary, featureCount, bbox, geometryTypes, detailMetres }: TilingFacts): Scale {
  const textBytes = isBinary ? bytes * textPerBinary : bytes;
  const features = Math.max(1, featureCount ?? Math.round(textBytes / usualFeatureBytes));
  const positionsPerFeature = Math.max(1, (textBytes / features - bytesPerFeature) / bytesPerPosition);
  const common = { features, textBytes, positionsPerFeature };
  if (bbox === undefined) return { ...common, widthMetres: undefined, heightMetres: undefined, detailMetres };
  const [west, south, east, north] = bbox;
  const degree = equatorMetres / 360;
  const middle = ((south + north) / 2) * (Math.PI / 180);
  const widthMetres = (east >= west ? east - west : east - west + 360) * degree * Math.cos(middle);
  const heightMetres = (north - south) * degree;
  // So far apart are neighbours, and the edges of a feature go twice across its room.
  const area = Math.max(1, widthMetres) * Math.max(1, heightMetres) * occupiedShare;
  const spacing = Math.sqrt(area / features);
  const isPoints = shareOf(geometryTypes, 'Point') > 0.5;
  const guessed = isPoints ? spacing : (2 * spacing) / positionsPerFeature;
  return { ...common, widthMetres, heightMetres, detailMetres: detailMetres ?? guessed };
}

function shareOf(types: TilingFacts['geometryTypes'], type: keyof TilingFacts['geometryTypes']): number {
  const all = types.Point + types.LineString + types.Polygon;
  return all > 0 ? types[type] / all : 0;
}

const fewFeatures = 5000;
const fewBytes = 10e6;
const cityMetres = 150_000;
const manyPositions = 60;

function choosePreset({ geometryTypes }: TilingFacts, scale: Scale): PresetName {
  const { features, textBytes, positionsPerFeature, widthMetres, heightMetres } = scale;
  if (features <= fewFeatures && textBytes <= fewBytes) return 'small';
  if (shareOf(geometryTypes, 'Point') >= 0.9) return 'points';
  if (shareOf(geometryTypes, 'Polygon') >= 0.9 && positionsPerFeature >= manyPositions) return 'boundaries';
  if (widthMetres === undefined || heightMetres === undefined) return 'country';
  return Math.max(widthMetres, heightMetres) <= cityMetres ? 'city' : 'country';
}

interface Zooms {
  readonly minZoom: number;
  readonly maxZoom: number;
}

/** Zoom = ⌈log2(64 units × metres around the world at the equator / (4096 units × metres of a detail))⌉, in bounds. */
function chooseZooms(preset: PresetName, { geometryTypes }: TilingFacts, { detailMetres }: Scale): Zooms {
  const { minZoom = 0, maxZoom: deepest = deepestGuess } = presets[preset].defaults;
  if (detailMetres === undefined) return { minZoom, maxZoom: deepest };
  const guess = Math.ceil(Math.log2((unitsPerDetail * equatorMetres) / (4096 * detailMetres)));
  const least = geometryTypes.Point > 0 ? Math.max(minZoom, leastPointZoom) : minZoom;
  return { minZoom, maxZoom: Math.min(deepest, Math.max(least, guess)) };
}

/** Of the text, what tiles of the deepest zoom are packed to; and what each zoom has of the one below it. */
const packedShare = 0.21;
const shareOfLowerZoom = 0.55;
const tileBytes = 500_000;
const leastTileBytes = 300;

/** Σ over zooms of min(0.21 × bytes of text × 0.55^(deepest − zoom), 500 kB × tiles within the box). */
function expectBytes({ bbox }: TilingFacts, { textBytes }: Scale, { minZoom, maxZoom }: Zooms): number {
  let sum = 0;
  for (let z = minZoom; z <= maxZoom; z++) {
    const most = tilesWithin(bbox, z) * tileBytes;
    sum += Math.max(
      leastTileBytes,
      Math.min(most, textBytes * packedShare * shareOfLowerZoom ** (maxZoom - z)),
    );
  }
  return Math.round(sum);
}

function tilesWithin(bbox: TilingFacts['bbox'], z: number): number {
  if (bbox === undefined) return 4 ** z;
  const [west, south, east, north] = bbox;
  const columns = ((east >= west ? east - west : east - west + 360) / 360) * 2 ** z;
  const rows = (mercator(south) - mercator(north)) * 2 ** z;
  return Math.min(4 ** z, Math.ceil(columns + 1) * Math.ceil(rows + 1));
}

/** From 0 in the north to 1 in the south. */
function mercator(latitude: number): number {
  const sine = Math.sin((Math.min(85.05, Math.max(-85.05, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Start and end; CPU seconds until threads run at speed; then CPU seconds per MB of text that is read and of tiles made. */
const idleSeconds = 0.4;
const warmUpSeconds = 1.2;
const readSeconds = 0.007;
const makeSeconds = 0.11;

/** 0.4 s + (1.2 s + 0.007 s × MB of text + 0.11 s × MB of tiles) / cores. */
function expectSeconds(textBytes: number, tilesetBytes: number, cores: number): number {
  const cpuSeconds = warmUpSeconds + (textBytes * readSeconds + tilesetBytes * makeSeconds) / 1e6;
  return Math.round((idleSeconds + cpuSeconds / Math.max(1, cores)) * 10) / 10;
}

function explain(
  preset: PresetName,
  { minZoom, maxZoom }: Zooms,
  { featureCount, layers }: TilingFacts,
  { features, widthMetres, heightMetres, detailMetres }: Scale,
): string {
  const count = `${featureCount === undefined ? 'About ' : ''}${features.toLocaleString('en')} features`;
  const inLayers = layers > 1 ? ` in ${layers} layers` : '';
  const size = widthMetres === undefined ? undefined : Math.max(widthMetres, heightMetres!) / 1000;
  const over = size === undefined ? '' : `, over ${size >= 10 ? Math.round(size) : size.toFixed(1)} km`;
  const detail =
    detailMetres === undefined ? '' : `, with details of about ${Number(detailMetres.toPrecision(1))} m`;
  return `${count}${inLayers}${over}${detail}: preset "${preset}", zoom ${minZoom} to ${maxZoom}.`;
}
