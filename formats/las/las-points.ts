import { BytesError, type Bytes } from '../bytes/bytes.ts';
import type { PointFile } from '../points/point-file.ts';
import { sampleColours } from './sample-colours.ts';
import { readLasCrs } from './las-crs.ts';
import { openLas, readLasPart } from './open-las.ts';
import { layoutOf } from './point-format.ts';

/** LAS, LAZ and COPC as points. @throws BytesError */
export async function openLasPoints(bytes: Bytes, keepsWithheld = false): Promise<PointFile> {
  const { header, records, parts, missing } = await openLas(bytes);
  const { min, max, pointFormat, pointCount } = header;
  if (![...min, ...max].every(Number.isFinite) || min.some((low, axis) => low > max[axis]!))
    throw new BytesError('its header has no bounding box');
  const { text, vertical } = await readLasCrs(bytes, header, records);
  const { colour, gpsTime } = layoutOf(pointFormat);
  return {
    min,
    max,
    hasColours: colour !== undefined,
    hasTimes: gpsTime !== undefined,
    partPoints: parts.map(({ points }) => points),
    notes:
      missing > 0
        ? [
            {
              code: 'cutSheet',
              message: `is cut off: ${missing} of ${pointCount} points are missing`,
              times: missing,
            },
          ]
        : [],
    crs: text,
    vertical,
    brightest: () => sampleColours(bytes, header, parts),
    readPart: (part) => readLasPart(bytes, header, { ...parts[part]!, keepsWithheld }),
  };
}
