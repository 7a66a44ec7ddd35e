import type { InspectedLayer } from '@platen/contract/inspect';
import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import type { Ring, SheetCoverage } from '@platen/geo/raster/sheet-coverage';
import type { Box } from '../box.ts';
import type { LayerSampler } from '../feature-samples.ts';

const maxSystems = 6;
const maxShownGaps = 100;

/** The name of the layer that all sheets of a folder are. */
export const layerOfFolder = (folder: string, otherwise: string): string =>
  folder.replace(/\.[^.]+$/, '').slice(0, 200) || otherwise;

/** Each value with its number, the commonest first. */
export function commonest<T extends string>(values: readonly T[]): [value: T, count: number][] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

/** With numbers if there are several. */
export function countedNames(values: readonly string[]): string[] {
  const all = commonest(values);
  return all.map(([name, count]) => (all.length > 1 ? `${name} (${count})` : name));
}

/** The coordinate systems of sheets, if there are several. */
export function describeSystems(systems: readonly string[]): InspectedLayer['details'] {
  const all = countedNames(systems);
  return all.length > 1 ? { systems: all.slice(0, maxSystems) } : {};
}

/** Gaps and overlaps, as far as they are known. */
export function describeCoverage(coverage: SheetCoverage | undefined): InspectedLayer['details'] {
  const percent = (share: number): number => Number((share * 100).toFixed(1));
  if (coverage === undefined) return {};
  const { gaps, gapShare, overlapShare } = coverage;
  return {
    gaps: gaps.length,
    ...(gaps.length > 0 && { gapPercent: percent(gapShare) }),
    overlapPercent: percent(overlapShare),
  };
}

/** Shows gaps on the map. */
export function sampleGaps(coverage: SheetCoverage | undefined, sampler: LayerSampler): void {
  for (const [i, ring] of (coverage?.gaps ?? []).slice(0, maxShownGaps).entries())
    sampler.add({ gap: String(i + 1) }, polygonOf(ring));
}

export function unionOf(boxes: readonly Box[]): Box {
  return boxes.reduce((a, b) => [
    Math.min(a[0], b[0]),
    Math.min(a[1], b[1]),
    Math.max(a[2], b[2]),
    Math.max(a[3], b[3]),
  ]);
}

export function polygonOf(ring: Ring): GeometryBuffer {
  const coordinates = Float64Array.of(...ring, ring[0]!, ring[1]!);
  const positionCount = coordinates.length / 2;
  return {
    coordinates,
    heights: undefined,
    positionCount,
    ringEnds: [positionCount],
    polygonEnds: [1],
    parts: [{ type: 'Polygon', polygonStart: 0, polygonEnd: 1 }],
  };
}
