import { Refused, type ReadAt } from './refused.ts';

const tag = {
  subfileType: 254,
  compression: 259,
  samplesPerPixel: 277,
  tileWidth: 322,
  extraSamples: 338,
  geoKeys: 34735,
} as const;
const wanted = new Set<number>(Object.values(tag));
const zstd = 50_000;
const maskBit = 4;
const projectedCrsKey = 3072;
const webMercator = 3857;
const maxDirectories = 64;
const maxEntries = 1000;

const mend =
  'Make one that the viewer can show, for example: gdalwarp -t_srs EPSG:3857 in.tif web.tif; gdal_translate -of COG -co TILING_SCHEME=GoogleMapsCompatible -co ADD_ALPHA=YES -co COMPRESS=LZW web.tif out.tif';

/** The first value of each tag that matters, and the geo keys. */
interface Directory {
  readonly values: ReadonlyMap<number, number>;
  readonly geoKeys: ReadonlyMap<number, number>;
}

/**
 * Looks at the directories of a TIFF alone: the viewer needs tiles, EPSG:3857, alpha or a mask, and no ZSTD.
 * @throws Refused
 */
export async function checkCog(read: ReadAt): Promise<void> {
  const [image, ...others] = await directoriesOf(read);
  if (!image) throw new Refused('The TIFF holds no image.');
  const { values, geoKeys } = image;
  if (!values.has(tag.tileWidth))
    throw new Refused(`The TIFF is stored in strips, not in tiles: it is not cloud-optimized. ${mend}`);
  if (values.get(tag.compression) === zstd)
    throw new Refused(`The viewer cannot read ZSTD compression. ${mend}`);
  const crs = geoKeys.get(projectedCrsKey);
  if (crs !== webMercator)
    throw new Refused(
      `It must be in EPSG:3857, not in ${crs === undefined ? 'another coordinate system' : `EPSG:${crs}`}. ${mend}`,
    );
  const isColour = (values.get(tag.samplesPerPixel) ?? 1) >= 3;
  const hasMask = others.some((directory) => ((directory.values.get(tag.subfileType) ?? 0) & maskBit) !== 0);
  if (isColour && !values.has(tag.extraSamples) && !hasMask)
    throw new Refused(
      `It has neither an alpha channel nor a mask: it would be garbled on the globe. ${mend}`,
    );
}

async function directoriesOf(read: ReadAt): Promise<Directory[]> {
  const start = await read(0, 16);
  const order = start.length < 16 ? '' : String.fromCharCode(start[0]!, start[1]!);
  if (order !== 'II' && order !== 'MM') throw new Refused('It is not a TIFF file.');
  const little = order === 'II';
  const view = viewOf(start);
  const version = view.getUint16(2, little);
  if (version !== 42 && version !== 43) throw new Refused('It is not a TIFF file.');
  const layout = { read, little, isBig: version === 43 };
  let offset = layout.isBig ? Number(view.getBigUint64(8, little)) : view.getUint32(4, little);
  const found: Directory[] = [];
  const seen = new Set<number>();
  while (offset !== 0 && found.length < maxDirectories && !seen.has(offset)) {
    seen.add(offset);
    const { directory, next } = await readDirectory(layout, offset);
    found.push(directory);
    offset = next;
  }
  return found;
}

interface Layout {
  readonly read: ReadAt;
  readonly little: boolean;
  /** BigTIFF: offsets of 8 bytes. */
  readonly isBig: boolean;
}

async function readDirectory(
  layout: Layout,
  offset: number,
): Promise<{ directory: Directory; next: number }> {
  const { read, little, isBig } = layout;
  const countBytes = isBig ? 8 : 2;
  const entryBytes = isBig ? 20 : 12;
  const head = await exactly(read, offset, countBytes);
  const count = isBig ? Number(viewOf(head).getBigUint64(0, little)) : viewOf(head).getUint16(0, little);
  if (count > maxEntries) throw new Refused('A directory of the TIFF is damaged.');
  const view = viewOf(await exactly(read, offset + countBytes, count * entryBytes + (isBig ? 8 : 4)));
  const values = new Map<number, number>();
  let geoKeys = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const at = i * entryBytes;
    const name = view.getUint16(at, little);
    if (!wanted.has(name)) continue;
    const type = view.getUint16(at + 2, little);
    const length = isBig ? Number(view.getBigUint64(at + 4, little)) : view.getUint32(at + 4, little);
    const valueAt = at + (isBig ? 12 : 8);
    if (name === tag.geoKeys) {
      const keysAt = isBig ? Number(view.getBigUint64(valueAt, little)) : view.getUint32(valueAt, little);
      geoKeys = await readGeoKeys(layout, keysAt, length);
    } else {
      values.set(name, type === 3 ? view.getUint16(valueAt, little) : view.getUint32(valueAt, little));
    }
  }
  const end = count * entryBytes;
  const next = isBig ? Number(view.getBigUint64(end, little)) : view.getUint32(end, little);
  return { directory: { values, geoKeys }, next };
}

/** Keys whose value stands in the directory itself (OGC 19-008r4, GeoKeyDirectoryTag). */
async function readGeoKeys(
  { read, little }: Layout,
  offset: number,
  count: number,
): Promise<Map<number, number>> {
  if (count > 4096) throw new Refused('The geo keys of the TIFF are damaged.');
  const view = viewOf(await exactly(read, offset, count * 2));
  const keys = new Map<number, number>();
  for (let at = 8; at + 8 <= view.byteLength; at += 8) {
    if (view.getUint16(at + 2, little) === 0)
      keys.set(view.getUint16(at, little), view.getUint16(at + 6, little));
  }
  return keys;
}

async function exactly(read: ReadAt, offset: number, length: number): Promise<Uint8Array> {
  if (!Number.isSafeInteger(offset + length)) throw new Refused('An offset in the TIFF is damaged.');
  const bytes = await read(offset, length);
  if (bytes.length !== length) throw new Refused('The TIFF is cut off.');
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
