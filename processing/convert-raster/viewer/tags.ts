import { geoKey } from '@platen/formats/geotiff/geo-keys';
import { compression, photometric, tag } from '@platen/formats/geotiff/tags';
import { tagType, type WrittenTag } from '@platen/formats/geotiff/write-directory';
import { cornerOf, pixelMetres, type MercatorFrame } from '../../raster-source/mercator-frame.ts';

const short = (id: number, ...values: number[]): WrittenTag => ({ id, type: tagType.short, values });
const doubles = (id: number, ...values: number[]): WrittenTag => ({ id, type: tagType.double, values });
const unassociatedAlpha = 2;

/** What all images have. @param tables what JPEG tiles have in common */
export function tileTags(format: 'jpeg' | 'webp', tables: Uint8Array): WrittenTag[] {
  const bands = format === 'jpeg' ? 3 : 4;
  const common = [
    short(tag.bitsPerSample, ...Array.from({ length: bands }, () => 8)),
    short(tag.compression, compression[format]),
    short(tag.samplesPerPixel, bands),
    short(tag.planar, 1),
  ];
  if (format === 'webp')
    return [...common, short(tag.photometric, photometric.rgb), short(tag.extraSamples, unassociatedAlpha)];
  return [
    ...common,
    short(tag.photometric, photometric.yCbCr),
    short(tag.yCbCrSubsampling, 2, 2),
    { id: tag.jpegTables, type: tagType.undefined, values: tables },
  ];
}

/** Where the image is: web mercator, and that its pixels are those of web maps. */
export function mercatorTags(frame: MercatorFrame): WrittenTag[] {
  const metres = pixelMetres(frame.zoom);
  const keys = [
    [geoKey.modelType, 1],
    [geoKey.rasterType, 1],
    [geoKey.projectedCrs, 3857],
  ] as const;
  const scheme = [
    '<GDALMetadata>',
    '  <Item name="NAME" domain="TILING_SCHEME">GoogleMapsCompatible</Item>',
    `  <Item name="ZOOM_LEVEL" domain="TILING_SCHEME">${frame.zoom}</Item>`,
    '</GDALMetadata>',
  ].join('\n');
  return [
    doubles(tag.pixelScale, metres, metres, 0),
    doubles(tag.tiepoints, 0, 0, 0, ...cornerOf(frame), 0),
    short(tag.geoKeys, 1, 1, 0, keys.length, ...keys.flatMap(([key, value]) => [key, 0, 1, value])),
    { id: tag.gdalMetadata, type: tagType.ascii, values: Buffer.from(`${scheme}\0`) },
  ];
}
