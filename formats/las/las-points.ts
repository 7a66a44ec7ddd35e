import { BytesError, type Bytes } from '../bytes/bytes.ts';
import type { PointExtra, PointFile, PointNote, PointSelection } from '../points/point-file.ts';
import { sampleColours } from './sample-colours.ts';
import { readLasCrs } from './las-crs.ts';
import { createBlockReader, openLas, readLasPart } from './open-las.ts';
import { isFloat, readExtraFields, type ExtraField } from './extra-bytes.ts';
import { layoutOf } from './point-format.ts';

/** LAS, LAZ and COPC as points. @throws BytesError */
export async function openLasPoints(
  bytes: Bytes,
  {
    keepsWithheld = false,
    selection,
  }: { readonly keepsWithheld?: boolean; readonly selection?: PointSelection | undefined } = {},
): Promise<PointFile> {
  const { header, records, parts, missing } = await openLas(bytes);
  const { min, max, pointFormat, pointCount } = header;
  if (![...min, ...max].every(Number.isFinite) || min.some((low, axis) => low > max[axis]!))
    throw new BytesError('its header has no bounding box');
  const { text, vertical } = await readLasCrs(bytes, header, records);
  const { colour, gpsTime } = layoutOf(pointFormat);
  const { fields, undescribedBytes } = await readExtraFields(bytes, header, records);
  const extras = fields.filter(({ name }) => selection?.extras.includes(name));
  const reading = { keepsWithheld, fields: selection?.fields, extras };
  const readBlocks = createBlockReader(bytes, header, reading);
  return {
    min,
    max,
    hasColours: colour !== undefined,
    hasTimes: gpsTime !== undefined,
    extras: fields.map(extraOf),
    partPoints: parts.map(({ points }) => points),
    notes: notesOf({ missing, pointCount, undescribedBytes }),
    crs: text,
    vertical,
    brightest: () => sampleColours(bytes, header, parts),
    readPart: (part) => readLasPart(bytes, header, { ...parts[part]!, ...reading }),
    readBlocks: (part) => readBlocks(parts[part]!),
  };
}

function extraOf({ name, type, scaling, noData }: ExtraField): PointExtra {
  const kind = scaling ? 'float' : type === 'uint8' ? 'byte' : type === 'uint16' ? 'short' : 'float';
  const step = isFloat(type) ? undefined : Math.abs(scaling?.factor ?? 1);
  return { name, kind, step, mayBeMissing: noData !== undefined || isFloat(type) };
}

function notesOf({
  missing,
  pointCount,
  undescribedBytes,
}: {
  readonly missing: number;
  readonly pointCount: number;
  readonly undescribedBytes: number;
}): PointNote[] {
  const notes: PointNote[] = [];
  if (missing > 0)
    notes.push({
      code: 'cutSheet',
      message: `is cut off: ${missing} of ${pointCount} points are missing`,
      times: missing,
    });
  if (undescribedBytes > 0)
    notes.push({
      code: 'unusedContent',
      message: `has ${undescribedBytes} bytes at each point that it does not describe`,
      times: 1,
    });
  return notes;
}
