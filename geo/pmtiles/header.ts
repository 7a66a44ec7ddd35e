export const headerLength = 127;

/** Header and root directory must be within the first 16 KiB, which readers fetch at once. */
export const rootSpan = 16_384;

export const compression = { unknown: 0, none: 1, gzip: 2, brotli: 3, zstd: 4 } as const;
export const tileType = { unknown: 0, mvt: 1, png: 2, jpeg: 3, webp: 4, avif: 5 } as const;

/** The fixed part of an archive. Offsets and lengths in bytes, bounds and centre in degrees. */
export interface ArchiveHeader {
  readonly rootOffset: number;
  readonly rootLength: number;
  readonly metadataOffset: number;
  readonly metadataLength: number;
  readonly leavesOffset: number;
  readonly leavesLength: number;
  readonly dataOffset: number;
  readonly dataLength: number;
  readonly addressedTiles: number;
  readonly tileEntries: number;
  readonly tileContents: number;
  readonly clustered: boolean;
  readonly internalCompression: number;
  readonly tileCompression: number;
  readonly tileType: number;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: readonly [west: number, south: number, east: number, north: number];
  readonly center: readonly [lon: number, lat: number, zoom: number];
}

/** The bytes are not a PMTiles v3 archive, or a damaged one. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

const longs = [
  'rootOffset',
  'rootLength',
  'metadataOffset',
  'metadataLength',
  'leavesOffset',
  'leavesLength',
  'dataOffset',
  'dataLength',
  'addressedTiles',
  'tileEntries',
  'tileContents',
] as const;

const magic = 'PMTiles';
const degree = 1e7;

/** 127 bytes. */
export function encodeHeader(header: ArchiveHeader): Uint8Array {
  const bytes = new Uint8Array(headerLength);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < magic.length; i++) bytes[i] = magic.charCodeAt(i);
  bytes[7] = 3;
  longs.forEach((name, i) => view.setBigUint64(8 + i * 8, BigInt(header[name]), true));
  bytes[96] = header.clustered ? 1 : 0;
  bytes[97] = header.internalCompression;
  bytes[98] = header.tileCompression;
  bytes[99] = header.tileType;
  bytes[100] = header.minZoom;
  bytes[101] = header.maxZoom;
  header.bounds.forEach((value, i) => view.setInt32(102 + i * 4, Math.round(value * degree), true));
  bytes[118] = header.center[2];
  view.setInt32(119, Math.round(header.center[0] * degree), true);
  view.setInt32(123, Math.round(header.center[1] * degree), true);
  return bytes;
}

/** @throws ArchiveError */
export function decodeHeader(bytes: Uint8Array): ArchiveHeader {
  if (bytes.length < headerLength) throw new ArchiveError('the file is shorter than a PMTiles header');
  for (let i = 0; i < magic.length; i++) {
    if (bytes[i] !== magic.charCodeAt(i)) throw new ArchiveError('the file is not a PMTiles archive');
  }
  if (bytes[7] !== 3) throw new ArchiveError(`PMTiles version ${bytes[7]} is not supported, only 3`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = (name: (typeof longs)[number]): number => {
    const value = Number(view.getBigUint64(8 + longs.indexOf(name) * 8, true));
    if (!Number.isSafeInteger(value)) throw new ArchiveError(`the header's ${name} is out of range`);
    return value;
  };
  const angle = (at: number): number => view.getInt32(at, true) / degree;
  return {
    rootOffset: long('rootOffset'),
    rootLength: long('rootLength'),
    metadataOffset: long('metadataOffset'),
    metadataLength: long('metadataLength'),
    leavesOffset: long('leavesOffset'),
    leavesLength: long('leavesLength'),
    dataOffset: long('dataOffset'),
    dataLength: long('dataLength'),
    addressedTiles: long('addressedTiles'),
    tileEntries: long('tileEntries'),
    tileContents: long('tileContents'),
    clustered: bytes[96] === 1,
    internalCompression: view.getUint8(97),
    tileCompression: view.getUint8(98),
    tileType: view.getUint8(99),
    minZoom: view.getUint8(100),
    maxZoom: view.getUint8(101),
    bounds: [angle(102), angle(106), angle(110), angle(114)],
    center: [angle(119), angle(123), view.getUint8(118)],
  };
}
