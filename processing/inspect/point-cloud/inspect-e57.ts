import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { openE57 } from '@platen/formats/e57/open-e57';
import { isE57, readE57 } from '@platen/formats/e57/read-e57';
import { damage } from '../damage.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { describePoints } from './describe-points.ts';

const format = { format: 'e57', formatTitle: 'E57 scans' } as const;
const maxNamed = 100;

/** Describes the scans in an E57 file as one point cloud. Returns undefined for other formats. */
export async function inspectE57(
  { bytes, name }: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  if (!bytes || !isE57(await bytes.read(0, 8))) return undefined;
  try {
    return await describe(bytes, name, context);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    context.issues.add('damagedFile', damage(name, error.message));
    return { ...format, kind: 'pointCloud', layers: [], uses: [] };
  }
}

async function describe(bytes: Bytes, name: string, context: InspectionContext): Promise<Finding> {
  const { version, scans, images, library } = await readE57(bytes);
  const file = await openE57(bytes);
  return describePoints(
    {
      name,
      file,
      pointCount: scans.reduce((sum, { points }) => sum + points, 0),
      isEstimated: false,
      fields: [...new Set(scans.flatMap(({ fields }) => fields.map((field) => field.name)))].slice(
        0,
        maxNamed,
      ),
      format: { ...format, formatVersion: version },
      details: {
        scans: scans.slice(0, maxNamed).map((scan, i) => ({
          name: scan.name || `scan ${i + 1}`,
          points: scan.points,
          hasPose: scan.pose !== undefined,
        })),
        ...(images > 0 && { images }),
        ...(library !== undefined && { software: library }),
      },
    },
    context,
  );
}
