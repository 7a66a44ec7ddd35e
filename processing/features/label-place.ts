import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import { labelPoint, type LabelPoint } from './label-point.ts';

/**
 * Where the label of a geometry is: far inside its largest polygon, else halfway along its longest line, else at the first of
 * its points.
 * @returns undefined for a single point, which is the place itself
 */
export function labelPlace(geometry: GeometryBuffer): LabelPoint | undefined {
  const { parts, coordinates, positionCount } = geometry;
  if (parts.length === 1 && parts[0]!.type === 'Point') return undefined;
  const place = labelPoint(geometry) ?? middleOfLongestLine(geometry);
  return place ?? (positionCount > 0 ? [coordinates[0]!, coordinates[1]!] : undefined);
}

function middleOfLongestLine(geometry: GeometryBuffer): LabelPoint | undefined {
  const { parts, polygonEnds, ringEnds, coordinates } = geometry;
  let maxLength = 0;
  let start = 0;
  let end = 0;
  for (const { type, polygonStart, polygonEnd } of parts) {
    if (type !== 'LineString' && type !== 'MultiLineString') continue;
    const firstRing = polygonStart === 0 ? 0 : polygonEnds[polygonStart - 1]!;
    const lastRing = polygonEnd === 0 ? 0 : polygonEnds[polygonEnd - 1]!;
    for (let ring = firstRing; ring < lastRing; ring++) {
      const from = ring === 0 ? 0 : ringEnds[ring - 1]!;
      const length = lengthOf(coordinates, from, ringEnds[ring]!);
      if (!(length > maxLength && length < Infinity)) continue;
      maxLength = length;
      start = from;
      end = ringEnds[ring]!;
    }
  }
  return maxLength > 0 ? pointAlong(coordinates, { start, end }, maxLength / 2) : undefined;
}

function lengthOf(coordinates: Float64Array, start: number, end: number): number {
  let length = 0;
  for (let i = start + 1; i < end; i++) length += edgeLength(coordinates, i);
  return length;
}

/** Of the edge that ends at a position, in degrees of latitude. */
function edgeLength(coordinates: Float64Array, i: number): number {
  const y = coordinates[i * 2 + 1]!;
  const dx = coordinates[i * 2]! - coordinates[i * 2 - 2]!;
  return Math.hypot(dx * Math.cos((y * Math.PI) / 180), y - coordinates[i * 2 - 1]!);
}

function pointAlong(
  coordinates: Float64Array,
  { start, end }: { start: number; end: number },
  distance: number,
): LabelPoint {
  let left = distance;
  for (let i = start + 1; i < end; i++) {
    const length = edgeLength(coordinates, i);
    const [x0, y0] = [coordinates[i * 2 - 2]!, coordinates[i * 2 - 1]!];
    const share = length === 0 ? 0 : left / length;
    if (share <= 1 && length > 0)
      return [x0 + (coordinates[i * 2]! - x0) * share, y0 + (coordinates[i * 2 + 1]! - y0) * share];
    left -= length;
  }
  return [coordinates[end * 2 - 2]!, coordinates[end * 2 - 1]!];
}
