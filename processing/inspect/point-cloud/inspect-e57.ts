import type { InspectedLayer } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { isE57, readE57, type E57, type E57Scan } from '@platen/formats/e57/read-e57';
import type { Box } from '../box.ts';
import { damage } from '../damage.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import type { Issues } from '../issues.ts';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { inspectHeights } from '../place/inspect-heights.ts';
import { placeBox } from '../place/place-box.ts';

const format = { format: 'e57', formatTitle: 'E57 scans', kind: 'pointCloud' } as const;

/** Describes the scans in an E57 file, whose points cannot be read here. Returns undefined for other formats. */
export async function inspectE57(
  { bytes, name: file }: Subject,
  { issues }: InspectionContext,
): Promise<Finding | undefined> {
  if (!bytes || !isE57(await bytes.read(0, 8))) return undefined;
  issues.add(
    'unsupported',
    `${file} is an E57 file, whose points cannot be read: convert it to LAZ (pdal translate in.e57 out.laz).`,
  );
  try {
    const content = await readE57(bytes);
    return {
      ...format,
      formatVersion: content.version,
      layers: await Promise.all(
        content.scans.map((scan, i) => layerOf(scan, `scan ${i + 1}`, { content, file, issues })),
      ),
      uses: [
        {
          kind: 'datasource',
          type: 'tileset',
          confidence: 0.1,
          reason: 'Scans. Convert them to LAZ, from which 3D Tiles can be made.',
        },
      ],
    };
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('damagedFile', damage(file, error.message));
    return { ...format, layers: [], uses: [] };
  }
}

interface ScanContext {
  readonly content: E57;
  readonly file: string;
  readonly issues: Issues;
}

async function layerOf(
  scan: E57Scan,
  fallback: string,
  { content, file, issues }: ScanContext,
): Promise<InspectedLayer> {
  const { crs, images, library } = content;
  // without a CRS, coordinates are metres around the scanner, so there is nothing to guess from
  const place = crs === '' ? {} : placeBox(crs, boxOf(scan), { file, issues });
  const heights = await inspectHeights({ fileName: file, vertical: findVerticalCrs(crs) }, place);
  return {
    name: scan.name || fallback,
    geometryTypes: ['Point'],
    featureCount: scan.points,
    isEstimated: false,
    isBboxEstimated: false,
    fields: scan.fields.map((name) => ({ name, type: 'number', examples: [] })),
    ...place,
    details: {
      hasPose: scan.hasPose,
      ...(heights && { heights }),
      ...(scan.bounds && { localBounds: scan.bounds }),
      ...(images > 0 && { images }),
      ...(library !== undefined && { software: library }),
    },
  };
}

function boxOf({ bounds, hasPose }: E57Scan): Box | undefined {
  return bounds && !hasPose ? [bounds[0], bounds[1], bounds[3], bounds[4]] : undefined;
}
