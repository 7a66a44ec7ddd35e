import type { InspectionUse } from '@platen/contract/inspect';
import { readPhotoPlace, type PhotoPlace } from '@platen/formats/image/exif-place';
import { boxOf } from '@platen/formats/geotiff/geo-transform';
import type { ImageHeader } from '@platen/formats/image/header';
import { readImageHeader } from '@platen/formats/image/read-header';
import { damage } from '../damage.ts';
import type { Finding, Inspecting, Subject } from '../inspector.ts';
import type { Issues } from '../issues.ts';
import { loadSharp } from '../load-sharp.ts';
import { placeBox } from '../place/place-box.ts';
import { dataUrl, maxSide } from '../thumbnail-url.ts';
import { findBeside, type Beside } from './beside.ts';
import { round } from './value-range.ts';

const titles = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP' } as const;
/** So many are decoded: of what comes line by line, and of what has to be in memory as a whole. */
const mostPixels = 200e6;
const mostPixelsAtOnce = 50e6;
const longestInMemory = 128 << 20;
/** Larger pictures open in no browser. */
const bombPixels = 1e9;

/** JPEG, PNG and WebP, with what lies beside them. undefined: it is none of them. */
export async function inspectImage(subject: Subject, inspecting: Inspecting): Promise<Finding | undefined> {
  const { bytes, name } = subject;
  const header = bytes && (await readImageHeader(bytes));
  if (!header) return undefined;
  const { issues } = inspecting;
  const { width, height, format } = header;
  if (header.fault !== undefined) issues.add('damagedFile', damage(name, header.fault));
  const beside = await findBeside(subject);
  const photo = header.exif && (await readPhotoPlace(header.exif));
  const { transform, crs } = beside;
  const box = transform && width > 0 ? boxOf(transform, width, height) : undefined;
  const place = box ? placeBox(crs, box, { file: name, issues }) : {};
  const use = judge({ beside, photo, header, code: place.crs?.code }, name, issues);
  const thumbnail = await drawImage(subject, header, issues);
  return {
    format,
    formatTitle: `${titles[format]}${transform ? ' with a world file' : ''}`,
    kind: 'raster',
    layers: [
      {
        name: name.replace(/\.[^.]+$/, '').slice(0, 200) || 'image',
        geometryTypes: [],
        featureCount: 1,
        isEstimated: false,
        isBboxEstimated: false,
        fields: [],
        ...place,
        details: detailsOf(header, beside, photo),
      },
    ],
    uses: [use],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

function detailsOf(
  { width, height, bands, bits, hasAlpha, isInterlaced, format }: ImageHeader,
  { transform, from }: Beside,
  photo: PhotoPlace | undefined,
): Record<string, unknown> {
  const [a, b, , d, e] = transform?.matrix ?? [];
  return {
    width,
    height,
    bands,
    sampleType: `uint${bits}`,
    hasAlpha,
    ...(isInterlaced && { [format === 'jpeg' ? 'isProgressive' : 'isInterlaced']: true }),
    ...(transform && {
      pixelSize: [round(Math.hypot(a!, d!)), round(Math.hypot(b!, e!))],
      placedBy: from,
      ...((b !== 0 || d !== 0) && { isRotated: true }),
    }),
    ...(photo && { takenAt: photo }),
  };
}

interface Judging {
  readonly beside: Beside;
  readonly photo: PhotoPlace | undefined;
  readonly header: ImageHeader;
  readonly code: string | undefined;
}

/** The viewer has no layer type for pictures with world files: a GeoTIFF carries its place with it. */
function judge({ beside, photo, header, code }: Judging, file: string, issues: Issues): InspectionUse {
  const { transform } = beside;
  if (header.width * header.height > bombPixels)
    issues.add(
      'hugeImage',
      `${file} says that it has ${header.width} × ${header.height} pixels: it is not decoded. Upload large images as cloud-optimized GeoTIFF.`,
    );
  if (transform) {
    const how =
      code === 'EPSG:3857'
        ? 'gdal_translate -of COG -co TILING_SCHEME=GoogleMapsCompatible -co ADD_ALPHA=YES'
        : 'gdalwarp -t_srs EPSG:3857 -dstalpha, then gdal_translate -of COG -co TILING_SCHEME=GoogleMapsCompatible';
    const reason = `Imagery, but pictures are not shown as they are: make a cloud-optimized GeoTIFF of it (${how}).`;
    issues.add('notShownByViewer', `${file}: ${reason}`);
    return { kind: 'datasource', type: 'cog', confidence: 0.3, reason };
  }
  if (photo) {
    const place = `${photo.latitude.toFixed(5)}, ${photo.longitude.toFixed(5)}`;
    issues.add(
      'photo',
      `${file} is a photo taken at ${place} (latitude, longitude), no map: it can be linked from a feature at this place.`,
    );
    return { kind: 'datasource', type: 'generic', confidence: 0.5, reason: `A photo taken at ${place}.` };
  }
  issues.add(
    'noGeoreference',
    `${file} does not say where on earth it lies: upload its world file (${file.replace(/\.[^.]+$/, '')}.${worldEnding(header)}) with it, or have it georeferenced.`,
  );
  return {
    kind: 'datasource',
    type: 'generic',
    confidence: 0.3,
    reason: 'A picture without a place: it can be linked, or be a logo or a legend.',
  };
}

function worldEnding({ format }: ImageHeader): string {
  return { jpeg: 'jgw', png: 'pgw', webp: 'wpw' }[format];
}

async function drawImage(
  subject: Subject,
  { width, height, isInterlaced, fault }: ImageHeader,
  issues: Issues,
): Promise<string | undefined> {
  const pixels = width * height;
  if (pixels === 0 || pixels > (isInterlaced ? mostPixelsAtOnce : mostPixels)) return undefined;
  const sharp = await loadSharp();
  if (!sharp || subject.size > longestInMemory) return undefined;
  // in a job pictures are opened by their bytes alone
  const file = await subject.bytes!.read(0, subject.size);
  try {
    const image = sharp(file, {
      limitInputPixels: mostPixels,
      sequentialRead: true,
      failOn: 'truncated',
    });
    const webp = await image
      .timeout({ seconds: 8 })
      .rotate()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality: 80 })
      .toBuffer();
    return dataUrl(webp, 'image/webp');
  } catch (error) {
    if (fault === undefined)
      issues.add('damagedFile', damage(subject.name, `its pixels cannot be read (${wordsOf(error)})`));
    return undefined;
  }
}

/** The first line, as libraries say it. */
function wordsOf(error: unknown): string {
  return String((error as Error).message)
    .split('\n')[0]!
    .slice(0, 200);
}
