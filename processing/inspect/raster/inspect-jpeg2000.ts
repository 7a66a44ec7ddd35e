import { BytesError } from '@platen/formats/bytes/bytes';
import { cogAdvice } from '@platen/formats/geotiff/cog-advice';
import { boxOf } from '@platen/formats/geotiff/geo-transform';
import { isJpeg2000 } from '@platen/formats/jpeg2000/read-boxes';
import { readJpeg2000, type Jpeg2000 } from '@platen/formats/jpeg2000/read-jpeg2000';
import { placeOfJpeg2000 } from '@platen/formats/jpeg2000/read-place';
import { worldFileEndings } from '@platen/formats/image/world-file';
import { damage } from '../damage.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { placeBox } from '../place/place-box.ts';
import { readSidecarFiles } from './sidecar-files.ts';
import { round } from './value-range.ts';

const format = { format: 'jpeg2000', formatTitle: 'JPEG 2000', kind: 'raster' } as const;

/** Inspects JPEG 2000 by its headers, with its sidecar files; undefined for other formats. */
export async function inspectJpeg2000(
  subject: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  const { bytes, name } = subject;
  if (!bytes || !isJpeg2000(await bytes.read(0, 12))) return undefined;
  try {
    return await describe(await readJpeg2000(bytes), subject, context);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    context.issues.add('damagedFile', damage(name, error.message));
    return { ...format, layers: [], uses: [] };
  }
}

async function describe(image: Jpeg2000, subject: Subject, { issues }: InspectionContext): Promise<Finding> {
  const { name } = subject;
  const { width, height, components, tileWidth, tileHeight } = image.stream;
  const own = await placeOfJpeg2000(image);
  const side = await readSidecarFiles(subject);
  const transform = own.transform ?? side.transform;
  const place = transform
    ? placeBox(own.crs.text ?? side.crs, boxOf(transform, width, height), { file: name, issues })
    : {};
  const reason = transform
    ? `Imagery in a format that maps cannot show. ${cogAdvice}`
    : 'Imagery that can be shown once it is georeferenced.';
  if (transform) issues.add('notShownByViewer', `${name}: ${reason}`);
  else
    issues.add(
      'noGeoreference',
      `${name} has no georeference. Upload its world file (${name.replace(/\.[^.]+$/, '')}.${worldFileEndings(name)[0]}) with it, or georeference it.`,
    );
  const [a, b, , d, e] = transform?.matrix ?? [];
  return {
    ...format,
    layers: [
      {
        name: name.replace(/\.[^.]+$/, '').slice(0, 200) || 'image',
        geometryTypes: [],
        featureCount: 1,
        isEstimated: false,
        isBboxEstimated: false,
        fields: [],
        ...place,
        details: {
          width,
          height,
          bands: components.length,
          sampleType: `${image.isSigned ? 'int' : 'uint'}${image.bits}`,
          hasAlpha: image.alphaBand !== undefined,
          blocks: `tiles ${Math.min(width, tileWidth)} × ${Math.min(height, tileHeight)}`,
          ...(transform && { pixelSize: [round(Math.hypot(a!, d!)), round(Math.hypot(b!, e!))] }),
          ...(side.transform && !own.transform && { placedBy: side.from }),
        },
      },
    ],
    uses: [{ kind: 'datasource', type: 'cog', confidence: transform ? 0.3 : 0.1, reason }],
  };
}
