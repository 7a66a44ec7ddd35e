import { presets, type PresetName } from './presets.ts';

/** What is known about the inputs before they are read. */
export interface TilingFacts {
  /** Number or share of features by type. */
  readonly geometryTypes: Readonly<Record<'Point' | 'LineString' | 'Polygon', number>>;
  /** Undefined: estimated from the size. */
  readonly featureCount: number | undefined;
  /** Uncompressed size. */
  readonly bytes: number;
  /** Whether a position takes 16 bytes and attributes are stored without names; otherwise the format is text. */
  readonly isBinary: boolean;
  /** West, south, east, north in degrees; undefined: unknown. West may be above east. */
  readonly bbox: readonly [number, number, number, number] | undefined;
  readonly layers: number;
  /** Typical length of an edge, or gap between neighbouring points, if a sample gives it. */
  readonly detailMetres?: number | undefined;
}

/** Suggested options and an estimate of the result, which may be wrong by half. */
export interface TilingSuggestion {
  readonly preset: PresetName;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Estimated size of the finished tileset. */
  readonly expectedBytes: number;
  /** Estimated duration of the job on this machine if it is otherwise idle. */
  readonly expectedSeconds: number;
  /** One or two sentences for the user. */
  readonly reason: string;
}

const equatorMetres = 40_075_017;
const maxGuess = 14;
/** Tile units, of 4096, that a detail spans; the same as in density.ts. */
const unitsPerDetail = 64;
const minPointZoom = 10;

/** @param cores number of cores available to the job */
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
  const expectedBytes = estimateBytes(facts, scale, { minZoom, maxZoom });
  return {
    preset,
    minZoom,
    maxZoom,
    expectedBytes,
    expectedSeconds: estimateSeconds(scale.textBytes, expectedBytes, cores),
    reason: explain(preset, { minZoom, maxZoom }, facts, scale),
  };
}

interface Scale {
  readonly features: number;
  /** Size as GeoJSON. */
  readonly textBytes: number;
  readonly positionsPerFeature: number;
  /** Size of the bounding box; undefined if unknown. */
  readonly widthMetres: number | undefined;
  readonly heightMetres: number | undefined;
  /** Size of the smallest detail; undefined if unknown. */
  readonly detailMetres: number | undefined;
}

/** Bytes of a feature's attributes and punctuation, and of one position, in GeoJSON: averages of OSM extracts. */
const bytesPerFeature = 180;
const bytesPerPosition = 20;
const usualFeatureBytes = 320;
/** Size of text relative to binary formats. */
const textPerBinary = 1.7;
/** Share of its box that data usually covers; settlement is uneven, and a single outlier widens the box. */
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
  // Distance between neighbours; the edges of a feature cross its area about twice.
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
  const { minZoom = 0, maxZoom: limit = maxGuess } = presets[preset].defaults;
  if (detailMetres === undefined) return { minZoom, maxZoom: limit };
  const guess = Math.ceil(Math.log2((unitsPerDetail * equatorMetres) / (4096 * detailMetres)));
  const minGuess = geometryTypes.Point > 0 ? Math.max(minZoom, minPointZoom) : minZoom;
  return { minZoom, maxZoom: Math.min(limit, Math.max(minGuess, guess)) };
}

/** Compressed size of the deepest zoom relative to the text, and of each zoom relative to the one below it. */
const packedShare = 0.21;
const shareOfLowerZoom = 0.55;
const tileBytes = 500_000;
const minTileBytes = 300;

/** Σ over zooms of min(0.21 × bytes of text × 0.55^(deepest − zoom), 500 kB × tiles within the box). */
function estimateBytes({ bbox }: TilingFacts, { textBytes }: Scale, { minZoom, maxZoom }: Zooms): number {
  let sum = 0;
  for (let z = minZoom; z <= maxZoom; z++) {
    const maxBytes = tilesWithin(bbox, z) * tileBytes;
    sum += Math.max(
      minTileBytes,
      Math.min(maxBytes, textBytes * packedShare * shareOfLowerZoom ** (maxZoom - z)),
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

/** Start and end of the job; CPU seconds to warm up the threads, and per MB of text read and of tiles made. */
const idleSeconds = 0.4;
const warmUpSeconds = 1.2;
const readSeconds = 0.007;
const makeSeconds = 0.11;

/** 0.4 s + (1.2 s + 0.007 s × MB of text + 0.11 s × MB of tiles) / cores. */
function estimateSeconds(textBytes: number, tilesetBytes: number, cores: number): number {
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
