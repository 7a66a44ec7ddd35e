import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import type { PointFile } from '@platen/formats/points/point-file';
import { openText } from '@platen/formats/points/text/open-text';
import { guessTextLayout, type TextLayout } from '@platen/formats/points/text/text-layout';
import { sampleLines } from '@platen/formats/points/text/text-windows';
import { damage } from '../damage.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { describePoints } from './describe-points.ts';
import { isTextGrid } from '@platen/formats/grid/read-text-grid';

const headBytes = 1 << 16;
const titles = { pts: 'PTS point cloud', ptx: 'PTX scans', table: 'Text of points (XYZ)' } as const;

/** Describes a text of points: PTS, PTX, or rows of x, y, z. Returns undefined for grids, and for tables of other features. */
export async function inspectPointText(
  { bytes, name }: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  if (bytes === undefined) return undefined;
  const layout = await layoutOfCloud(bytes, name);
  if (layout === undefined) return undefined;
  const format = { format: layout.kind === 'table' ? 'xyz' : layout.kind, formatTitle: titles[layout.kind] };
  try {
    return await describe(bytes, { name, layout, format }, context);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    context.issues.add('damagedFile', damage(name, error.message));
    return { ...format, kind: 'pointCloud', layers: [], uses: [] };
  }
}

/** How a text of points is written; undefined for other texts. */
export async function layoutOfCloud(bytes: Bytes, name: string): Promise<TextLayout | undefined> {
  const head = await bytes.read(0, headBytes);
  const layout = guessTextLayout(head, head.length === bytes.size);
  if (!layout || !isCloud(layout, name)) return undefined;
  return (await isTextGrid(bytes, head, layout)) ? undefined : layout;
}

/** A table of places with a height is one of points if they have what only points of a scan have, or no names at all. */
function isCloud({ kind, columns, names }: TextLayout, fileName: string): boolean {
  if (kind !== 'table') return true;
  if (columns.red !== undefined || columns.intensity !== undefined || columns.classification !== undefined)
    return true;
  return (
    !/\.(?:csv|tsv|tab)$/i.test(fileName) &&
    (names === undefined || Object.keys(columns).length === names.length)
  );
}

interface TextSample {
  /** Of a sample of its lines. */
  readonly file: PointFile;
  /** All lines are in the sample. */
  readonly isWhole: boolean;
  /** Of the text. */
  readonly pointCount: number;
}

/** @throws BytesError where it is damaged */
export async function openTextSample(bytes: Bytes, layout: TextLayout): Promise<TextSample> {
  const { isWhole, ...sampled } = await sampleLines(bytes, layout);
  const file = await openText(sampled.bytes, layout);
  const found = file.partPoints.reduce((sum, points) => sum + points, 0);
  const pointCount = isWhole ? found : Math.round((found * bytes.size) / sampled.bytes.size);
  return { file, isWhole, pointCount };
}

interface OpenedText {
  readonly name: string;
  readonly layout: TextLayout;
  readonly format: Pick<Finding, 'format' | 'formatTitle'>;
}

async function describe(
  bytes: Bytes,
  { name, layout, format }: OpenedText,
  context: InspectionContext,
): Promise<Finding> {
  const { file, isWhole, pointCount } = await openTextSample(bytes, layout);
  const { columns, names } = layout;
  return describePoints(
    {
      name,
      // of a sample it cannot be said what is missing
      file: isWhole ? file : { ...file, notes: [] },
      pointCount,
      isEstimated: !isWhole,
      fields: names ?? Object.keys(columns),
      format,
      details: { columns: Object.keys(columns) },
      areDegrees: names?.some((column) => /^\W?lon/i.test(column)) === true,
    },
    context,
  );
}
