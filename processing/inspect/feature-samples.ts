import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import { createThinned } from './thin-geometry.ts';

/** Some features of a layer, for a table and a map of them. */
export interface FeatureSample {
  /** As the report names it. */
  readonly layer: string;
  /** Whether these are all that it has. */
  readonly isWhole: boolean;
  /** GeoJSON, in EPSG:4326. */
  readonly features: readonly Record<string, unknown>[];
}

export interface LayerSampler {
  /** @param geometry in longitude and latitude; undefined: it cannot be placed on the earth */
  add(properties: Readonly<Record<string, unknown>>, geometry: GeometryBuffer | undefined): void;
  /** The same for a point with a height. */
  addPoint(properties: Readonly<Record<string, unknown>>, position: readonly number[]): void;
}

export interface FeatureSamples {
  start(): LayerSampler;
  /** What this one has seen is of that layer. */
  keep(layer: string, sampler: LayerSampler, isWhole: boolean): void;
  /** Those of these layers, as much as fits. */
  list(layers: readonly string[]): FeatureSample[];
}

const mostFeatures = 1000;
const longestBytes = 2 << 20;
/** Of the properties of one feature. */
const mostProperties = 200;
const longestText = 500;
const longestNested = 2000;

/** GeoJSON of one feature, as text: what passes by is overwritten by the next. */
type Kept = string;

interface Layer {
  readonly layer: string;
  readonly isWhole: boolean;
  readonly kept: readonly Kept[];
}

export function createFeatureSamples(): FeatureSamples {
  const keptOf = new Map<LayerSampler, () => { kept: readonly Kept[]; isThinned: boolean }>();
  const layers: Layer[] = [];
  const thinned = createThinned();

  function start(): LayerSampler {
    let kept: Kept[] = [];
    let seen = 0;
    let stride = 1;
    const put = (properties: Readonly<Record<string, unknown>>, geometry: string): void => {
      kept.push(`{"type":"Feature","properties":${propertiesOf(properties)},"geometry":${geometry}}`);
      if (kept.length <= mostFeatures) return;
      kept = kept.filter((_, index) => index % 2 === 0);
      stride *= 2;
    };
    const isWanted = (): boolean => seen++ % stride === 0;
    const sampler: LayerSampler = {
      add(properties, geometry) {
        if (isWanted()) put(properties, (geometry && thinned.toJson(geometry)) ?? 'null');
      },
      addPoint(properties, position) {
        if (isWanted()) put(properties, `{"type":"Point","coordinates":${JSON.stringify(position)}}`);
      },
    };
    keptOf.set(sampler, () => ({ kept, isThinned: stride > 1 }));
    return sampler;
  }

  return {
    start,
    keep(layer, sampler, isWhole) {
      const { kept, isThinned } = keptOf.get(sampler)!();
      if (kept.length > 0) layers.push({ layer, isWhole: isWhole && !isThinned, kept });
    },
    list(names) {
      const wanted = new Set(names);
      const named = layers.filter(({ layer }, index) => {
        const isFirst = layers.findIndex((other) => other.layer === layer) === index;
        return isFirst && wanted.has(layer);
      });
      return fit(named).map(({ layer, isWhole, kept }) => ({
        layer,
        isWhole,
        features: kept.map((text) => JSON.parse(text) as Record<string, unknown>),
      }));
    },
  };
}

/** Of the layer that takes most, every second feature goes, until all fit together. */
function fit(layers: readonly Layer[]): Layer[] {
  const sized = layers.map((layer) => ({ ...layer, bytes: sizeOf(layer.kept) }));
  for (;;) {
    const total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= longestBytes) return sized;
    const [largest] = sized.toSorted((a, b) => b.bytes - a.bytes);
    const at = sized.indexOf(largest!);
    const kept = largest!.kept.length > 1 ? largest!.kept.filter((_, index) => index % 2 === 0) : [];
    sized[at] = { ...largest!, isWhole: false, kept, bytes: sizeOf(kept) };
  }
}

const sizeOf = (kept: readonly Kept[]) => kept.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);

/** Long texts are cut, as a table does. */
function propertiesOf(properties: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(properties).slice(0, mostProperties);
  return JSON.stringify(Object.fromEntries(entries.map(([key, value]) => [key, shown(value)])));
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value, longestText);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value === null || typeof value !== 'object') return value ?? null;
  const text = JSON.stringify(value);
  return text.length <= longestNested ? value : shortened(text, longestText);
}

const shortened = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
