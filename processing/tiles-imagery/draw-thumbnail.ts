import { requireImageCodec } from '../kit/images/image-codec.ts';
import { withLocalArchive } from '../tile-style/local-archive.ts';
import { tileSide } from './encode-square.ts';
import type { ImageryPlan } from './plan-imagery.ts';

/** Pixels a side, of the tiles that the thumbnail is made of. */
const maxPixels = 512;
const thumbnailSide = 256;

/** A PNG of all that the tiles of an archive show. */
export async function drawThumbnail(
  archive: string,
  { bbox, maxZoom }: Pick<ImageryPlan, 'bbox' | 'maxZoom'>,
  minZoom: number,
): Promise<Uint8Array> {
  const codec = await requireImageCodec();
  const fits = (z: number): boolean => {
    const { width, height } = windowOf(bbox, z);
    return Math.max(width, height) <= maxPixels;
  };
  let zoom = maxZoom;
  while (zoom > minZoom && !fits(zoom)) zoom--;
  const window = windowOf(bbox, zoom);
  const width = Math.min(window.width, maxPixels);
  const height = Math.min(window.height, maxPixels);
  const picture = new Uint8Array(width * height * 4);
  await withLocalArchive(archive, async (readTile) => {
    for (let y = Math.floor(window.top / tileSide); y * tileSide < window.top + height; y++) {
      for (let x = Math.floor(window.left / tileSide); x * tileSide < window.left + width; x++) {
        const bytes = await readTile(zoom, x % 2 ** zoom, y); // beyond 180° is the west
        if (!bytes) continue;
        const { samples } = await codec.decode(bytes, { bands: 4 });
        const place = { left: x * tileSide - window.left, top: y * tileSide - window.top };
        copyTile(picture, width, { tile: samples as Uint8Array, ...place });
      }
    }
  });
  return codec.encode(
    { width, height, bands: 4, samples: picture },
    { format: 'png', maxSide: thumbnailSide },
  );
}

/** Pixels of a zoom around a box of degrees. */
function windowOf([west, south, east, north]: readonly number[], zoom: number) {
  const pixels = tileSide * 2 ** zoom;
  const columnOf = (lon: number): number => ((lon + 180) / 360) * pixels;
  const rowOf = (lat: number): number =>
    (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * pixels;
  const left = Math.floor(columnOf(west!));
  const top = Math.floor(rowOf(north!));
  return {
    left,
    top,
    width: Math.max(1, Math.ceil(columnOf(east!)) - left),
    height: Math.max(1, Math.ceil(rowOf(south!)) - top),
  };
}

interface PlacedTile {
  readonly tile: Uint8Array;
  /** May be negative, or beyond the picture. */
  readonly left: number;
  readonly top: number;
}

function copyTile(picture: Uint8Array, width: number, { tile, left, top }: PlacedTile): void {
  const height = picture.length / 4 / width;
  const from = Math.max(0, -left);
  const to = Math.min(tileSide, width - left);
  for (let row = Math.max(0, -top); row < Math.min(tileSide, height - top); row++) {
    const start = (row * tileSide + from) * 4;
    picture.set(tile.subarray(start, (row * tileSide + to) * 4), ((top + row) * width + left + from) * 4);
  }
}
