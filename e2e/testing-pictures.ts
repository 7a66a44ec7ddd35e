import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { writePng } from '@platen/formats/png/write-png';
import sharp from 'sharp';
import { tileAt, type Point } from './testing-archives.ts';

export type Content = string | Uint8Array;
export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** The deepest of all tiles. */
export const tileZoom = 13;
const edge = 256;
const raw = { raw: { width: edge, height: edge, channels: 4 } } as const;
const plain = (colour: readonly number[]) =>
  Uint8Array.from({ length: edge * edge * 4 }, (_, i) => colour[i % 4]!);
export const png = (colour: readonly number[]) => writePng(plain(colour), edge, edge);

/** The tiles over a point. */
export function pyramid(point: Point, colour: readonly number[], isTms = false): [string, Content][] {
  const image = png(colour);
  return Array.from({ length: tileZoom + 1 }, (_, z) => {
    const [x, y] = tileAt(point, z);
    return [`${z}/${x}/${isTms ? 2 ** z - 1 - y : y}.png`, image];
  });
}

/** Nearly the deepest of them: no neighbour is touched. */
export function within(point: Point): Bounds {
  const [x, y] = tileAt(point, tileZoom);
  const lon = (column: number) => (column / 2 ** tileZoom) * 360 - 180;
  const lat = (row: number) =>
    (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** tileZoom))) * 180) / Math.PI;
  return [lon(x + 0.01), lat(y + 0.99), lon(x + 0.99), lat(y + 0.01)];
}

/** Includes the description that TMS clients request first. */
export function tmsFolder(point: Point): [string, Content][] {
  const [west, south, east, north] = within(point);
  const sets = Array.from({ length: tileZoom + 1 }, (_, z) => {
    const resolution = (2 * halfWorldMetres) / edge / 2 ** z;
    return `<TileSet href="${z}" units-per-pixel="${resolution}" order="${z}"/>`;
  });
  const description = `<?xml version="1.0"?><TileMap version="1.0.0"><Title>Tiles</Title><SRS>EPSG:3857</SRS>
    <BoundingBox minx="${west}" miny="${south}" maxx="${east}" maxy="${north}"/><Origin x="-180" y="-85.05"/>
    <TileFormat width="${edge}" height="${edge}" mime-type="image/png" extension="png"/>
    <TileSets profile="mercator">${sets.join('')}</TileSets></TileMap>`;
  return [['tilemapresource.xml', description], ...pyramid(point, [128, 64, 0, 255], true)];
}

const halfWorldMetres = Math.PI * 6_378_137;

/** Two resolutions of one tile of the world's grid. */
export function cog(point: Point): Buffer {
  const [x, y] = tileAt(point, tileZoom);
  const side = (2 * halfWorldMetres) / 2 ** tileZoom;
  const image = {
    bands: 4,
    tile: edge,
    photometric: 2,
    extraSamples: [2],
    isDeflated: true,
    sample: (_x: number, _y: number, band: number) => [90, 90, 90, 255][band]!,
  };
  const resolution = side / (2 * edge);
  return writeTiff({
    images: [
      { ...image, width: 2 * edge, height: 2 * edge },
      { ...image, width: edge, height: edge, subfileType: 1 },
    ],
    keys: keysOf(3857),
    scale: [resolution, resolution],
    tie: [0, 0, 0, x * side - halfWorldMetres, halfWorldMetres - y * side, 0],
  });
}

/** A sphere of one colour, as its camera saw it. */
export async function panorama({ lon, lat }: Point): Promise<Buffer> {
  const item = (name: string, text: string) => `<Item name="${name}">${text}</Item>`;
  const [width, height] = [1024, 512];
  const tile = sharp({ create: { width: height, height, channels: 3, background: '#3c8cc8' } });
  // the viewer has each tile decoded by the browser, as a picture
  const packed = { compression: 50_001, block: await tile.webp().toBuffer() };
  return writeTiff({
    images: [{ width, height, bands: 3, tile: height, photometric: 2, packed, sample: () => 0 }],
    metadata: `<GDALMetadata>${item('PANORAMA_VERSION', '1.0')}${item('PANORAMA_POSITION', `${lat},${lon},2`)}${item('PANORAMA_ORIENTATION', '0,0,0')}${item('PANORAMA_INTENSITY', '0')}${item('PANORAMA_DEPTH', '0')}</GDALMetadata>`,
  });
}

/** One picture to the north, of two by two tiles and of one. */
export async function obliqueImages(point: Point): Promise<[string, Content][]> {
  const tile = await sharp(plain([255, 160, 0, 255]), raw)
    .jpeg()
    .toBuffer();
  const [x, y] = mercator(point);
  const half = 1000;
  const corners = [
    [x - half, y - half, 0],
    [x + half, y - half, 0],
    [x + half, y + half, 0],
    [x - half, y + half, 0],
  ];
  const header = [
    'name',
    'camera-index',
    'view-direction',
    'view-direction-angle',
    'groundCoordinates',
    'centerPointOnGround',
  ];
  const description = {
    version: '3.5',
    generalImageInfo: {
      width: 2 * edge,
      height: 2 * edge,
      'tile-resolution': [2, 1],
      'tile-width': edge,
      'tile-height': edge,
    },
    images: [header, ['north', 0, 1, Math.PI / 2, corners, [x, y]]],
  };
  const places = ['0/0/0', '1/0/0', '1/0/1', '1/1/0', '1/1/1'];
  return [
    ['image.json', JSON.stringify(description)],
    ...places.map((place): [string, Content] => [`north/${place}.jpg`, tile]),
  ];
}

function mercator({ lon, lat }: Point): [x: number, y: number] {
  return [
    (lon / 180) * halfWorldMetres,
    (Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) * halfWorldMetres,
  ];
}
