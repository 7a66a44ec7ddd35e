import { isObject } from '../../base/is-object.ts';
import { given, isNumbers, itemsOf, type Content, type Item, type Reports } from './findings.ts';
import { isGeographic } from './projections.ts';

type Box = readonly number[];

/** An extent: its four numbers, and whether they enclose anything. */
export function checkExtent(extent: unknown, pointer: string, { error, warning }: Reports): void {
  if (extent === null) return;
  const coordinates = isObject(extent) ? extent['coordinates'] : undefined;
  if (!isNumbers(coordinates, 4) || coordinates.length !== 4)
    return error(`${pointer}/coordinates`, 'type', 'An extent needs four numbers: minx, miny, maxx, maxy.');
  const [minX, minY, maxX, maxY] = coordinates as [number, number, number, number];
  if (minX > maxX || minY > maxY)
    warning(`${pointer}/coordinates`, 'aboveEachOther', 'A minimum coordinate is greater than its maximum.');
  else if (minX === maxX || minY === maxY)
    warning(
      `${pointer}/coordinates`,
      'noArea',
      'An extent without an area stops the globe: widen it a little.',
    );
}

export function checkViewpoint(viewpoint: Item, pointer: string, { error, warning }: Reports): void {
  const { groundPosition, cameraPosition, distance } = viewpoint;
  for (const angle of ['heading', 'pitch', 'roll']) {
    if (given(viewpoint[angle]) && !Number.isFinite(viewpoint[angle]))
      error(`${pointer}/${angle}`, 'type', 'It must be a number of degrees.');
  }
  checkPosition(cameraPosition, `${pointer}/cameraPosition`, { max: 3, min: 3, error });
  checkPosition(groundPosition, `${pointer}/groundPosition`, { max: 3, min: 2, error });
  if (given(distance) && !Number.isFinite(distance))
    error(`${pointer}/distance`, 'type', 'It must be a number of metres.');
  if (given(cameraPosition)) return;
  if (!given(groundPosition))
    error(pointer, 'incomplete', 'A viewpoint needs cameraPosition, or groundPosition and distance.');
  else if (!given(distance)) warning(pointer, 'noDistance', 'Without `distance`, the camera is 1000 m away.');
}

interface PositionRule {
  readonly min: number;
  readonly max: number;
  readonly error: Reports['error'];
}

/** The map viewer drops a viewpoint that is not on the Earth, and takes text for numbers at best. */
function checkPosition(position: unknown, pointer: string, { min, max, error }: PositionRule): void {
  if (!given(position)) return;
  const numbers =
    min === max ? 'longitude, latitude and height' : 'longitude, latitude and optionally height';
  if (!isNumbers(position, min) || position.length > max)
    return error(pointer, 'type', `It needs ${numbers}, in degrees (WGS 84) and metres.`);
  const [x, y] = position as [number, number];
  if (Math.abs(x) <= 180 && Math.abs(y) <= 90) return;
  const isSwapped = Math.abs(y) <= 180 && Math.abs(x) <= 90;
  const why = isSwapped
    ? 'Are longitude and latitude swapped?'
    : 'It must be in WGS 84, regardless of the projection of the module.';
  error(pointer, 'type', `The position is not on Earth. ${why}`);
}

/** Wider extents do not show where the data is. */
const maxDegrees = 60;
/** Maximum numbers of layers and viewpoints examined, as each is compared with each. */
const maxLayers = 500;
const maxViewpoints = 500;

/** Warns of viewpoints that are far from all data of the module, but would be near it with swapped coordinates. */
export function checkSwapped(content: Content, { warning }: Reports): void {
  const layers = itemsOf(content, 'layers').slice(0, maxLayers);
  const boxes = layers.flatMap(({ extent }) => boxOf(extent, content['projection']));
  if (boxes.length === 0) return;
  const lies = (x: number, y: number, margin: number) =>
    boxes.some(
      (box) =>
        x >= box[0]! - margin && x <= box[2]! + margin && y >= box[1]! - margin && y <= box[3]! + margin,
    );
  for (const [index, viewpoint] of itemsOf(content, 'viewpoints').slice(0, maxViewpoints).entries()) {
    for (const key of ['groundPosition', 'cameraPosition']) {
      const position = viewpoint[key];
      if (!isNumbers(position, 2)) continue;
      const [x, y] = position as [number, number];
      if (!lies(x, y, 5) && lies(y, x, 1))
        warning(
          `/viewpoints/${index}/${key}`,
          'swapped',
          'Longitude and latitude seem swapped. The viewpoint is far from the data of this module.',
        );
    }
  }
}

/** Empty if the value is not an extent in degrees. */
function boxOf(extent: unknown, ofModule: unknown): Box[] {
  if (!isObject(extent) || !isGeographic(extent['projection'], ofModule)) return [];
  const { coordinates } = extent;
  if (!isNumbers(coordinates, 4)) return [];
  const [minX, minY, maxX, maxY] = coordinates as [number, number, number, number];
  return maxX - minX > maxDegrees || maxY - minY > maxDegrees ? [] : [coordinates];
}
