import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import { shapeTypes } from '../../features/shape-types.ts';
import { joinCompanions } from '../../features/open-inputs.ts';
import { readFeatures } from '../../features/read-features.ts';
import { polygonType } from '@platen/geo/shape/shape';
import { JobFailure, type JobContext, type JobInput } from '../../job-type.ts';
import { maxFeatureBytesOf } from '../../kit/memory-plan.ts';
import { openScratchFile } from '../../kit/scratch-file.ts';
import type { WaterIndex } from './water-polygons.ts';

const vectorEndings =
  /\.(?:geojsonl?|geojsonseq|ndjson|json|topojson|gpkg|shp|fgb|gml|kml|kmz|parquet)(?:\.(?:gz|zip))?$/i;

/** Divides the inputs into those of heights and those of polygons of water, by their names. */
export function divideInputs(inputs: readonly JobInput[]): {
  readonly heights: JobInput[];
  readonly water: JobInput[];
} {
  const all = joinCompanions(inputs);
  const isWater = ({ name }: JobInput): boolean => vectorEndings.test(name);
  return { heights: all.filter((input) => !isWater(input)), water: all.filter(isWater) };
}

interface WaterOptions {
  /** The scratch file of polygons. */
  readonly path: string;
  readonly budgetBytes: number;
}

/** Reads the polygons of water in longitude and latitude; other geometries do not count. @throws JobFailure */
export async function readWater(
  inputs: readonly JobInput[],
  { path, budgetBytes }: WaterOptions,
  context: JobContext,
): Promise<WaterIndex> {
  const file = openScratchFile(path);
  const boxes: number[] = [];
  const ranges: number[] = [];
  let skipped = 0;
  const addPolygon = (geometry: GeometryBuffer, polygon: number): void => {
    const { coordinates, ringEnds, polygonEnds } = geometry;
    const firstRing = polygon === 0 ? 0 : polygonEnds[polygon - 1]!;
    const ends = ringEnds.slice(firstRing, polygonEnds[polygon]!);
    const start = firstRing === 0 ? 0 : ringEnds[firstRing - 1]!;
    if (ends.length === 0 || ends[0]! - start < 3) return;
    const positions = coordinates.slice(start * 2, ends.at(-1)! * 2);
    const box = boxOf(positions);
    if (box === undefined) {
      skipped++;
      return;
    }
    const head = Float64Array.of(ends.length, ...ends.map((end) => end - start));
    ranges.push(file.length);
    for (const words of [head, positions]) file.append(new Uint8Array(words.buffer));
    ranges.push(file.length);
    boxes.push(...box);
  };
  const visit = ({ geometry, problem }: { geometry: GeometryBuffer; problem: string | undefined }): void => {
    if (problem !== undefined) skipped++;
    else
      for (const { type, polygonStart, polygonEnd } of geometry.parts)
        if (shapeTypes[type] === polygonType)
          for (let polygon = polygonStart; polygon < polygonEnd; polygon++) addPolygon(geometry, polygon);
  };
  try {
    await readFeatures(
      { ...context, inputs, progress: () => {} },
      () => visit,
      maxFeatureBytesOf(budgetBytes),
    );
    file.flush();
  } finally {
    file.close();
  }
  const names = inputs.map(({ name }) => name).join(', ');
  if (skipped > 0)
    context.warn(
      'partlyUsed',
      `${names}: water that is damaged or not on Earth is left out.`,
      { file: names },
      skipped,
    );
  if (boxes.length === 0)
    throw new JobFailure(
      'nothingUsable',
      `${names} has no polygon of water. Leave it out, or choose the layer with polygons.`,
    );
  return { path, boxes: shared(boxes), ranges: shared(ranges) };
}

/** Undefined if a position is not on Earth. */
function boxOf(positions: Float64Array): [number, number, number, number] | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 2) {
    const [lon, lat] = [positions[at]!, positions[at + 1]!];
    if (!(Math.abs(lon) <= 360 && Math.abs(lat) <= 90)) return undefined;
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return [west, south, east, north];
}

/** In memory that all threads see. */
function shared(values: readonly number[]): Float64Array {
  const array = new Float64Array(new SharedArrayBuffer(values.length * 8));
  array.set(values);
  return array;
}
