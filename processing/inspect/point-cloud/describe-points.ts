import type { InspectedLayer, PointFacts } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { className } from '@platen/formats/las/point-format';
import type { PointFile } from '@platen/formats/points/point-file';
import { damage } from '../damage.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { heightsAdvice, inspectHeights } from '../place/inspect-heights.ts';
import { layerTitle } from '../place/layer-title.ts';
import { placeBox } from '../place/place-box.ts';
import type { Place } from '../place/resolve-place.ts';
import { areLocal } from './are-local.ts';
import type { PointSample } from './collect-points.ts';
import { drawPoints } from './draw-points.ts';
import { colourBits } from './colour-bits.ts';
import { sampleFile } from './sample-file.ts';
import { useOfPoints } from './use-of-points.ts';

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
  const place = placePoints(opened, context);
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
    uses: [useOfPoints(isPlaced ? heightsAdvice(heights) : 'Its place must be set first.')],
    points: pointFactsOf(opened),
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

function pointFactsOf({ file: { hasColours, hasTimes }, pointCount, format }: OpenedPoints): PointFacts {
  const textShare = format.format === 'e57' ? 0 : 1;
  return { sheets: 1, points: pointCount, compressedShare: 0, textShare, hasColours, hasTimes };
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

function describeSample(sample: PointSample): Record<string, unknown> {
  const { count, colours, classes } = sample;
  const codes = [...classes].toSorted(([a], [b]) => a - b);
  return {
    sampledPoints: count,
    hasColours: colours?.some((value) => value > 0) === true,
    ...colourBits(sample),
    ...(codes.length > 0 && {
      classes: codes.map(([code, points]) => ({
        code,
        name: className(code),
        share: Number((points / count).toPrecision(3)),
      })),
    }),
  };
}

/** Whether the coordinates count from a scanner, or from any other place that nothing names. */
function isLocal({ file, areDegrees = false }: OpenedPoints): boolean {
  return file.crs === undefined && !areDegrees && areLocal(file);
}

function placePoints(opened: OpenedPoints, { issues, area }: InspectionContext): Place {
  const { name, file } = opened;
  const { min, max, crs } = file;
  if (!isLocal(opened)) return placeBox(crs, [min[0], min[1], max[0], max[1]], { file: name, issues, area });
  issues.add(
    'noPlace',
    `${name} has no coordinate reference system, and its coordinates count from a place that it does not name. Set the longitude, latitude and height of that place (modelOptions.placement) in the task.`,
  );
  return {};
}
