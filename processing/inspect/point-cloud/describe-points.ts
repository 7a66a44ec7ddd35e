import type { InspectedLayer, InspectionUse } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { className } from '@platen/formats/las/point-format';
import type { PointFile, Place as Corner } from '@platen/formats/points/point-file';
import { damage } from '../damage.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import type { Issues } from '../issues.ts';
import { heightsAdvice, inspectHeights } from '../place/inspect-heights.ts';
import { layerTitle } from '../place/layer-title.ts';
import { placeBox } from '../place/place-box.ts';
import type { Place } from '../place/resolve-place.ts';
import type { PointSample } from './collect-points.ts';
import { drawPoints } from './draw-points.ts';
import { sampleFile } from './sample-file.ts';

/** What is known of a file of points before its points are sampled. */
export interface OpenedPoints {
  readonly name: string;
  readonly file: PointFile;
  readonly pointCount: number;
  readonly isEstimated: boolean;
  readonly fields: readonly string[];
  readonly format: Pick<Finding, 'format' | 'formatTitle' | 'formatVersion'>;
  readonly details: Readonly<Record<string, unknown>>;
  /** Its coordinates are named longitude and latitude. */
  readonly areDegrees?: boolean;
}

/** Describes a file of points by a sample of them. */
export async function describePoints(opened: OpenedPoints, context: InspectionContext): Promise<Finding> {
  const { name, file, pointCount, isEstimated, fields, format, details } = opened;
  const { issues } = context;
  for (const { code, message } of file.notes) issues.add(code, `${name} ${message}.`);
  const place = placePoints(opened, issues);
  const vertical = file.vertical ?? (file.crs === undefined ? undefined : findVerticalCrs(file.crs));
  const heights = await inspectHeights({ fileName: name, vertical }, place);
  const sample = await readSample(opened, context);
  const pixels = sample && drawPoints(sample);
  const thumbnail = pixels && (await encodePicture(pixels));
  const layer: InspectedLayer = {
    name: layerTitle(name),
    geometryTypes: ['Point'],
    featureCount: pointCount,
    isEstimated,
    isBboxEstimated: isEstimated,
    fields: fields.map((field) => ({ name: field, type: 'number', examples: [] })),
    ...place,
    details: {
      ...details,
      heightRange: [file.min[2], file.max[2]],
      ...(isLocal(opened) && { localBounds: [...file.min, ...file.max] }),
      ...(sample && describeSample(sample)),
      ...(heights && { heights }),
    },
  };
  const isPlaced = place.crs !== undefined && !place.crs.isGuessed;
  return {
    ...format,
    kind: 'pointCloud',
    layers: [layer],
    uses: [useOf(isPlaced ? heightsAdvice(heights) : 'Its place must be set first.')],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

async function readSample(
  { name, file }: OpenedPoints,
  { issues, isOver }: InspectionContext,
): Promise<PointSample | undefined> {
  try {
    return await sampleFile(file, isOver);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('damagedFile', damage(name, error.message));
    return undefined;
  }
}

function describeSample({ count, colours, classes }: PointSample): Record<string, unknown> {
  const codes = [...classes].toSorted(([a], [b]) => a - b);
  return {
    sampledPoints: count,
    hasColours: colours?.some((value) => value > 0) === true,
    ...(codes.length > 0 && {
      classes: codes.map(([code, points]) => ({
        code,
        name: className(code),
        share: Number((points / count).toPrecision(3)),
      })),
    }),
  };
}

/** Coordinates of grids are larger, in metres as in feet. */
const maxLocal = 20_000;

/** Whether the coordinates count from a scanner, or from any other place that nothing names. */
function isLocal({ file: { crs, min, max }, areDegrees = false }: OpenedPoints): boolean {
  const reach = (corner: Corner): number => Math.max(Math.abs(corner[0]), Math.abs(corner[1]));
  return crs === undefined && !areDegrees && Math.max(reach(min), reach(max)) < maxLocal;
}

function placePoints(opened: OpenedPoints, issues: Issues): Place {
  const { name, file } = opened;
  const { min, max, crs } = file;
  if (!isLocal(opened)) return placeBox(crs, [min[0], min[1], max[0], max[1]], { file: name, issues });
  issues.add(
    'noPlace',
    `${name} has no coordinate reference system, and its coordinates count from a place that it does not name. Set the longitude, latitude and height of that place (modelOptions.placement) in the task.`,
  );
  return {};
}

function useOf(advice: string): InspectionUse {
  return {
    kind: 'datasource',
    type: 'tileset',
    confidence: 0.3,
    reason: `A point cloud. To show it on a map, convert it to 3D Tiles. ${advice}`,
  };
}
