import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import { createGeometryThinner } from './thin-geometry.ts';

/** Sample features of a layer, shown as a table and on a map. */
export interface FeatureSample {
  /** The layer's name in the report. */
  readonly layer: string;
  /** Whether the sample contains all features of the layer. */
  readonly isWhole: boolean;
  /** GeoJSON, in EPSG:4326. */
  readonly features: readonly Record<string, unknown>[];
}

export interface LayerSampler {
  /** @param geometry in longitude and latitude; undefined if it cannot be placed on a map */
  add(properties: Readonly<Record<string, unknown>>, geometry: GeometryBuffer | undefined): void;
  /** Like add, for a point with a height. */
  addPoint(properties: Readonly<Record<string, unknown>>, position: readonly number[]): void;
}

export interface FeatureSamples {
  start(): LayerSampler;
  /** Assigns the sampler's features to a layer. */
  keep(layer: string, sampler: LayerSampler, isWhole: boolean): void;
  /** Returns the samples of the named layers, reduced to the maximum size. */
  list(layers: readonly string[]): FeatureSample[];
}

const maxFeatures = 1000;
const maxBytes = 2 << 20;
/** Maximum per feature. */
const maxProperties = 200;
const maxTextLength = 500;
const maxNestedLength = 2000;

/** A GeoJSON feature as text, because readers overwrite their feature objects. */
type Kept = string;

interface Layer {
  readonly layer: string;
  readonly isWhole: boolean;
  readonly kept: readonly Kept[];
}

export function createFeatureSamples(): FeatureSamples {
  const keptOf = new Map<LayerSampler, () => { kept: readonly Kept[]; isThinned: boolean }>();
  const layers: Layer[] = [];
  const thinned = createGeometryThinner();

  function start(): LayerSampler {
    let kept: Kept[] = [];
    let seen = 0;
    let stride = 1;
    const put = (properties: Readonly<Record<string, unknown>>, geometry: string): void => {
      kept.push(`{"type":"Feature","properties":${propertiesOf(properties)},"geometry":${geometry}}`);
      if (kept.length <= maxFeatures) return;
      kept = kept.filter((_, index) => index % 2 === 0);
      stride *= 2;
    };
    const isSampled = (): boolean => seen++ % stride === 0;
    const sampler: LayerSampler = {
      add(properties, geometry) {
        if (isSampled()) put(properties, (geometry && thinned.toJson(geometry)) ?? 'null');
      },
      addPoint(properties, position) {
        if (isSampled()) put(properties, `{"type":"Point","coordinates":${JSON.stringify(position)}}`);
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
      return fitToSize(named).map(({ layer, isWhole, kept }) => ({
        layer,
        isWhole,
        features: kept.map((text) => JSON.parse(text) as Record<string, unknown>),
      }));
    },
  };
}

/** Halves the largest layer until all layers fit together. */
function fitToSize(layers: readonly Layer[]): Layer[] {
  const sized = layers.map((layer) => ({ ...layer, bytes: bytesOf(layer.kept) }));
  for (;;) {
    const total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= maxBytes) return sized;
    const [largest] = sized.toSorted((a, b) => b.bytes - a.bytes);
    const at = sized.indexOf(largest!);
    const kept = largest!.kept.length > 1 ? largest!.kept.filter((_, index) => index % 2 === 0) : [];
    sized[at] = { ...largest!, isWhole: false, kept, bytes: bytesOf(kept) };
  }
}

const bytesOf = (kept: readonly Kept[]) => kept.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);

/** Truncates long texts. */
function propertiesOf(properties: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(properties).slice(0, maxProperties);
  return JSON.stringify(Object.fromEntries(entries.map(([key, value]) => [key, displayValue(value)])));
}

function displayValue(value: unknown): unknown {
  if (typeof value === 'string') return truncate(value, maxTextLength);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value === null || typeof value !== 'object') return value ?? null;
  const text = JSON.stringify(value);
  return text.length <= maxNestedLength ? value : truncate(text, maxTextLength);
}

const truncate = (text: string, maxLength: number) =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
