import { findCrs } from '@platen/formats/crs/find-crs';
import { areAllDegrees } from '../box.ts';
import type { LayerSampler } from '../feature-samples.ts';
import type { PointSample } from './collect-points.ts';

const maxPoints = 1000;

/** Samples points with their heights evenly from those that were read; none if they cannot be placed on earth. */
export function samplePoints(sample: PointSample, crsCode: string | undefined, sampler: LayerSampler): void {
  const { count, places, colours, intensities } = sample;
  if (crsCode === undefined || count === 0) return;
  const step = Math.ceil(count / maxPoints);
  const chosen = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
  const lonLat = Float64Array.from(chosen.flatMap((i) => [places[i * 3]!, places[i * 3 + 1]!]));
  const crs = findCrs(crsCode);
  if (crs.kind !== 'lonLat') crs.toLonLat(lonLat, chosen.length);
  for (const [at, i] of chosen.entries()) {
    const position = lonLat.subarray(at * 2, at * 2 + 2);
    const z = places[i * 3 + 2]!;
    if (!areAllDegrees(position, 1) || !Number.isFinite(z)) continue;
    const colour = colours && { red: colours[i * 3], green: colours[i * 3 + 1], blue: colours[i * 3 + 2] };
    const [lon, lat] = [...position].map((value) => Number(value.toFixed(7)));
    sampler.addPoint({ intensity: intensities[i], ...colour }, [lon!, lat!, Number(z.toFixed(3))]);
  }
}
