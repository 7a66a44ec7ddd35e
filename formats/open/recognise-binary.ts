import { isFlatGeobuf } from '../flatgeobuf/is-flatgeobuf.ts';
import { companion, data, notRecognised, unsupported, type Recognised } from './recognised.ts';

const imagery = 'use a job for imagery or terrain';
const geoTiff = 'convert the image to GeoTIFF (gdal_translate)';
const pointCloud = 'use the job for point clouds';
const convert = 'save its features as GeoPackage or GeoJSON';
const repack = 'unpack it and upload its content, or pack it as a zip file';

/** Images that only other programs read: how their files begin, in Latin-1. */
const otherImages: readonly (readonly [beginning: string, title: string])[] = [
  ['msid', 'a MrSID image'],
  ['\xff\x0a', 'a JPEG XL image'],
  ['\0\0\0\x0cJXL ', 'a JPEG XL image'],
  ['CDF\x01', 'a NetCDF file'],
  ['CDF\x02', 'a NetCDF file'],
  ['\x89HDF', 'an HDF file'],
];

/** What an image is that has to be converted to GeoTIFF; undefined for everything else. */
export function imageToConvert(head: Buffer, name: string): string | undefined {
  if (/\.ecw$/i.test(name)) return 'an ECW image';
  return otherImages.find(([start]) => head.toString('latin1', 0, start.length) === start)?.[1];
}

/** Signatures by offset, in Latin-1. */
const beginnings: readonly (readonly [at: number, beginning: string, recognised: Recognised])[] = [
  [0, '\x1f\x8b', { is: 'archive', packing: 'gzip' }],
  [0, 'PK\x03\x04', { is: 'archive', packing: 'zip' }],
  [0, 'PK\x05\x06', { is: 'archive', packing: 'zip' }],
  [0, '%PDF', unsupported('a PDF document', 'it contains no features, request the original data')],
  [0, '\x89PNG\r\n', unsupported('a PNG image', imagery)],
  [0, '\xff\xd8\xff', unsupported('a JPEG image', imagery)],
  [0, 'GIF8', unsupported('a GIF image', 'save it as PNG')],
  [8, 'WEBP', unsupported('a WebP image', imagery)],
  [0, 'II*\0', unsupported('a TIFF image', imagery)],
  [0, 'MM\0*', unsupported('a TIFF image', imagery)],
  [0, 'II+\0', unsupported('a TIFF image', imagery)],
  [0, 'MM\0+', unsupported('a TIFF image', imagery)],
  [4, 'jP  ', unsupported('a JPEG 2000 image', imagery)],
  [0, '\xff\x4f\xff\x51', unsupported('a JPEG 2000 image', imagery)],
  [0, 'LASF', unsupported('a LAS or LAZ file', pointCloud)],
  [0, 'ASTM-E57', unsupported('an E57 file', pointCloud)],
  [0, 'PAR1', unsupported('a Parquet file', `GeoParquet is not supported yet, ${convert}`)],
  [0, 'ARROW1', unsupported('an Arrow file', convert)],
  [
    4,
    '\x0a\x09OSMHeader',
    unsupported('an OpenStreetMap extract (osm.pbf)', `this is not supported yet, ${convert}`),
  ],
  [0, 'PMTiles', unsupported('a PMTiles archive', 'it contains tiles, create a datasource from it directly')],
  [0, 'AutoCAD Binary DXF', unsupported('a DXF drawing', convert)],
  [0, 'AC10', unsupported('a DWG drawing', convert)],
  [0, 'glTF', unsupported('a glTF model', 'use a job for 3D objects')],
  [0, '\xd0\xcf\x11\xe0', unsupported('an old Office document', 'save the table as CSV')],
  [0, '7z\xbc\xaf', unsupported('a 7z archive', repack)],
  [0, 'Rar!', unsupported('a RAR archive', repack)],
  [0, 'BZh', unsupported('a bzip2 archive', repack)],
  [0, '\xfd7zXZ', unsupported('an xz archive', repack)],
  [0, '\x28\xb5\x2f\xfd', unsupported('a Zstandard archive', repack)],
  [257, 'ustar', unsupported('a tar archive', repack)],
  [0, '\x7fELF', notRecognised('a program', 'upload the data itself')],
];

/** Recognises binary formats; undefined for everything else. */
export function recogniseBinary(head: Buffer, name: string): Recognised | undefined {
  const image = imageToConvert(head, name);
  if (image !== undefined) return unsupported(image, geoTiff);
  for (const [at, beginning, recognised] of beginnings) {
    if (head.toString('latin1', at, at + beginning.length) === beginning) return recognised;
  }
  if (isFlatGeobuf(head)) return data('flatgeobuf');
  if (head.length >= 100 && head.readInt32BE(0) === shapefileMagic) return recogniseShp(head, name);
  if (head.toString('latin1', 0, sqlite.length) === sqlite) return recogniseSqlite(head, name);
  // The file has no header, only heights.
  if (/\.hgt$/i.test(name)) return unsupported('an SRTM elevation tile (.hgt)', 'use a job for terrain');
  if (isDbf(head)) return companion('the table of a shapefile (.dbf)');
  return undefined;
}

const shapefileMagic = 9994;
/** Value at byte 4 of .sbn and .sbx; zero in .shp and .shx. */
const spatialIndex = -400;
const sqlite = 'SQLite format 3\0';

/** The .shx begins alike; behind its header stands an offset of 50 words, not the record number 1. */
function recogniseShp(head: Buffer, name: string): Recognised {
  if (head.readInt32BE(4) === spatialIndex) return companion('a spatial index of a shapefile (.sbn or .sbx)');
  const index = head.length >= 108 ? head.readInt32BE(100) === 50 : /\.shx$/i.test(name);
  return index ? companion('the index of a shapefile (.shx)') : data('shapefile');
}

/** OGC GeoPackage 1.3, requirement 2, and its older forms. */
const geoPackageIds = new Set(['GPKG', 'GP10', 'GP11']);

function recogniseSqlite(head: Buffer, name: string): Recognised {
  const id = head.toString('latin1', 68, 72);
  // Old ones do not say it there; their tables are on the first page.
  if (geoPackageIds.has(id) || /\.gpkg$/i.test(name) || head.includes('gpkg_contents'))
    return data('geopackage');
  if (id === 'MPBX' || /\.mbtiles$/i.test(name)) {
    return unsupported('an MBTiles archive', 'it contains tiles, create a datasource from it directly');
  }
  return unsupported('an SQLite database other than GeoPackage', convert);
}

/** A dBase table: version, a date, and a header that ends where it says. */
function isDbf(head: Buffer): boolean {
  if (head.length < 66 || ![0x03, 0x30, 0x31, 0x83, 0x8b, 0xf5].includes(head[0]!)) return false;
  const headerBytes = head.readUInt16LE(8);
  return head[2]! <= 12 && head[3]! <= 31 && headerBytes > 32 && head[headerBytes - 1] === 0x0d;
}
