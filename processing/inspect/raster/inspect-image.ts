import type { InspectionUse } from '@platen/contract/inspect';
import { readPhotoPlace, type PhotoPlace } from '@platen/formats/image/exif-place';
import { cogAdvice } from '@platen/formats/geotiff/cog-advice';
import { boxOf } from '@platen/formats/geotiff/geo-transform';
import type { ImageHeader } from '@platen/formats/image/header';
import { readImageHeader } from '@platen/formats/image/read-header';
import { openImageCodec } from '../../kit/images/image-codec.ts';
import { ImageError } from '../../kit/images/image-error.ts';
import type { Picture } from '@platen/geo/canvas/picture';
import { damage } from '../damage.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import type { Issues } from '../issues.ts';
import { placeBox } from '../place/place-box.ts';
import { maxSide } from '../thumbnail-url.ts';
import { findBorderColour, maskOfBorder } from './find-border.ts';
import { measurePacking, type PackedBits } from './measure-detail.ts';
import { factsAt } from './raster-facts.ts';
import { readSidecarFiles, type SidecarFiles } from './sidecar-files.ts';
import { round } from './value-range.ts';

const titles = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP' } as const;
/** Pixel limits for decoding: line by line, and for interlaced images, which are decoded in memory. */
const maxPixels = 200e6;
const maxSeconds = 8;
const maxInterlacedPixels = 50e6;
/** What decoders hold of each pixel of those: three colours of two bytes, and buffers. */
const bytesPerInterlacedPixel = 8;
const maxBytesInMemory = 128 << 20;
const maxShareOfFile = 1 / 3;
/** The part in full resolution whose packed size is measured: as wide as possible, because images are decoded line by line. */
const detailWidth = 2048;
const detailHeight = 256;
/** No browser opens larger images. */
const maxDeclaredPixels = 1e9;

/** Inspects JPEG, PNG and WebP with their sidecar files; undefined for other formats. */
export async function inspectImage(
  subject: Subject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  const { bytes, name } = subject;
  const header = bytes && (await readImageHeader(bytes));
  if (!header) return undefined;
  const { issues } = context;
  const { width, height, format } = header;
  if (header.fault !== undefined) issues.add('damagedFile', damage(name, header.fault));
  const sidecar = await readSidecarFiles(subject);
  const photo = header.exif && (await readPhotoPlace(header.exif));
  const { transform, crs } = sidecar;
  const box = transform && width > 0 ? boxOf(transform, width, height) : undefined;
  const place = box ? placeBox(crs, box, { file: name, issues }) : {};
  const use = assessImage({ sidecar, photo, header, hasCrs: place.crs !== undefined }, name, issues);
  const picture = await drawImage(subject, header, context);
  const facts = factsAt({ name, width, height, transform }, place);
  const border = facts && picture && findBorderColour(picture);
  const mask = maskOfBorder(border, undefined, { file: name, issues });
  const thumbnail = picture && (await encodePicture(picture));
  const packed = facts && (await measureImage(subject, header, context));
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
        details: detailsOf(header, sidecar, photo),
      },
    ],
    uses: [use],
    ...(facts && { raster: { ...facts, ...packed, ...(mask && { mask }) } }),
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

function detailsOf(
  { width, height, bands, bits, hasAlpha, isInterlaced, format }: ImageHeader,
  { transform, from }: SidecarFiles,
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

interface ImageFacts {
  readonly sidecar: SidecarFiles;
  readonly photo: PhotoPlace | undefined;
  readonly header: ImageHeader;
  readonly hasCrs: boolean;
}

/** The viewer has no layer type for images with world files; a GeoTIFF contains its georeference. */
function assessImage(
  { sidecar, photo, header, hasCrs }: ImageFacts,
  file: string,
  issues: Issues,
): InspectionUse {
  const { transform } = sidecar;
  if (header.width * header.height > maxDeclaredPixels)
    issues.add(
      'hugeImage',
      `${file} declares ${header.width} × ${header.height} pixels and was not decoded. Upload large images as cloud-optimized GeoTIFF.`,
    );
  if (transform) {
    const crs = hasCrs ? '' : ', and set its coordinate system';
    const reason = `Imagery in a format that maps cannot show. ${cogAdvice} Choose the image and its side file as inputs${crs}.`;
    issues.add('notShownByViewer', `${file}: ${reason}`);
    return { kind: 'datasource', type: 'cog', confidence: 0.3, reason };
  }
  if (photo) {
    const place = `${photo.latitude.toFixed(5)}, ${photo.longitude.toFixed(5)}`;
    issues.add(
      'photo',
      `${file} is a photo taken at ${place} (latitude, longitude), not a map. It can be linked from a feature there.`,
    );
    return { kind: 'datasource', type: 'generic', confidence: 0.5, reason: `A photo taken at ${place}.` };
  }
  issues.add(
    'noGeoreference',
    `${file} has no georeference. Upload its world file (${file.replace(/\.[^.]+$/, '')}.${worldEnding(header)}) with it, or georeference it.`,
  );
  return {
    kind: 'datasource',
    type: 'generic',
    confidence: 0.3,
    reason: 'A picture without a position. It can be linked, or used as a logo or legend.',
  };
}

function worldEnding({ format }: ImageHeader): string {
  return { jpeg: 'jgw', png: 'pgw', webp: 'wpw' }[format];
}

async function drawImage(
  subject: Subject,
  { width, height, isInterlaced, fault }: ImageHeader,
  { issues, memoryBytes }: InspectionContext,
): Promise<Picture | undefined> {
  const pixels = width * height;
  const maxInMemory = Math.min(maxInterlacedPixels, memoryBytes / bytesPerInterlacedPixel);
  if (pixels === 0 || pixels > (isInterlaced ? maxInMemory : maxPixels)) return undefined;
  const codec = await openImageCodec();
  if (!codec || subject.size > Math.min(maxBytesInMemory, memoryBytes * maxShareOfFile)) return undefined;
  const file = await subject.bytes!.read(0, subject.size);
  const resize = { width: maxSide, height: maxSide, fit: 'inside' } as const;
  try {
    const image = await codec.decode(file, {
      bands: 4,
      resize,
      isUpright: true,
      maxPixels,
      maxSeconds,
      failOn: 'truncated',
    });
    const { samples, ...size } = image;
    return { ...size, rgba: samples as Uint8Array };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    // other reasons say nothing about the file
    if (error.code === 'damaged' && fault === undefined)
      issues.add('damagedFile', damage(subject.name, reasonOf(error)));
    return undefined;
  }
}

/** How well the middle of an image can be packed. @returns undefined if it is too large to be decoded */
async function measureImage(
  subject: Subject,
  { width, height, isInterlaced }: ImageHeader,
  { memoryBytes }: InspectionContext,
): Promise<PackedBits | undefined> {
  if (isInterlaced || width * height > maxPixels) return undefined;
  const codec = await openImageCodec();
  if (!codec || subject.size > Math.min(maxBytesInMemory, memoryBytes * maxShareOfFile)) return undefined;
  const size = { width: Math.min(detailWidth, width), height: Math.min(detailHeight, height) };
  const window = { ...size, left: (width - size.width) >> 1, top: (height - size.height) >> 1 };
  const file = await subject.bytes!.read(0, subject.size);
  try {
    const { samples } = await codec.decode(file, { bands: 4, window, maxPixels, maxSeconds });
    return await measurePacking({ ...size, rgba: samples as Uint8Array });
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return undefined;
  }
}

/** As a part of a sentence about the file. */
const reasonOf = ({ message }: ImageError) => message.replace(/^The/, 'the').replace(/\.$/, '');
