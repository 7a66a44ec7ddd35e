import { multiply, transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import { BytesError } from '../bytes/bytes.ts';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import { asIndex, asNumbers, asObject, type JsonObject } from '../json/read-values.ts';
import { parseAt } from '../json/scan-members.ts';
import { openGltf } from '../mesh/open-gltf.ts';
import { placeNodes } from '../mesh/place-nodes.ts';
import { readAccessor, type UnpackView } from '../mesh/read-accessor.ts';

const pntsBytes = 28;
const quantizedMax = 65_535;
/** Of one tile; those that programs make have some 100,000. */
const maxTilePoints = 10_000_000;
const maxAccessorBytes = maxTilePoints * 12;
const tooManyPoints = () => new BytesError(`it has more than ${maxTilePoints} points`);

/**
 * x, y, z of the points of a tile, unpacked, with z upwards, as `pnts` has them (3D Tiles 1.0) or a glTF (3D Tiles 1.1).
 * @throws BytesError where it is damaged, or is no tile of points
 */
export async function readPointPlaces(content: Uint8Array, unpack: UnpackView): Promise<Float64Array> {
  const magic = Buffer.from(content.subarray(0, 4)).toString('latin1');
  if (magic === 'pnts') return placesOfPnts(content);
  if (magic === 'glTF') return placesOfGltf(content, unpack);
  throw new BytesError('it is no tile of points');
}

function placesOfPnts(content: Uint8Array): Float64Array {
  if (content.length < pntsBytes) throw new BytesError('it is cut off');
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const [jsonBytes, binaryBytes] = [view.getUint32(12, true), view.getUint32(16, true)];
  const start = pntsBytes + jsonBytes;
  if (start + binaryBytes > content.length) throw new BytesError('its feature table passes its end');
  const features = asObject(parseAt(content, pntsBytes, start)) ?? {};
  const count = asIndex(features['POINTS_LENGTH']) ?? 0;
  if (count > maxTilePoints) throw tooManyPoints();
  const at = (name: string): number | undefined => asIndex(asObject(features[name])?.['byteOffset']);
  const [floats, steps] = [at('POSITION'), at('POSITION_QUANTIZED')];
  const read = quantizedOf(features, steps) ?? floatsOf(floats);
  if (read === undefined) throw new BytesError('it says nothing of its positions');
  const { offset, width, valueAt } = read;
  if (offset + count * 3 * width > binaryBytes) throw new BytesError('its positions pass its end');
  const centre = asNumbers(features['RTC_CENTER'], 3) ?? [0, 0, 0];
  const places = new Float64Array(count * 3);
  for (let i = 0; i < places.length; i++)
    places[i] = centre[i % 3]! + valueAt(view, start + offset + i * width, i % 3);
  return places;
}

interface PositionReading {
  readonly offset: number;
  /** Bytes of a coordinate. */
  readonly width: number;
  readonly valueAt: (view: DataView, at: number, axis: number) => number;
}

function floatsOf(offset: number | undefined): PositionReading | undefined {
  return offset === undefined
    ? undefined
    : { offset, width: 4, valueAt: (view, at) => view.getFloat32(at, true) };
}

function quantizedOf(features: JsonObject, offset: number | undefined): PositionReading | undefined {
  const low = asNumbers(features['QUANTIZED_VOLUME_OFFSET'], 3);
  const size = asNumbers(features['QUANTIZED_VOLUME_SCALE'], 3);
  if (offset === undefined || low === undefined || size === undefined) return undefined;
  return {
    offset,
    width: 2,
    valueAt: (view, at, axis) => low[axis]! + (view.getUint16(at, true) / quantizedMax) * size[axis]!,
  };
}

/** From y upwards to z upwards. */
const upwards: Matrix = [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1];
const pointsMode = 0;

async function placesOfGltf(content: Uint8Array, unpack: UnpackView): Promise<Float64Array> {
  const { gltf, read } = await openGltf(bytesOf(content), async () => undefined);
  const reading = { read, maxBytes: maxAccessorBytes, unpack, unpacked: new Map() };
  const parts: Float64Array[] = [];
  let points = 0;
  for (const { primitive, matrix } of placeNodes(gltf).primitives) {
    if (primitive.mode !== pointsMode || primitive.position === undefined) continue;
    points += gltf.accessors[primitive.position]?.count ?? 0;
    if (points > maxTilePoints) throw tooManyPoints();
    const places = await readAccessor(gltf, primitive.position, 3, reading);
    if (places === undefined)
      throw new BytesError('its positions are not there, or are packed in another way');
    const toTile = multiply(upwards, matrix);
    for (let i = 0; i < places.length; i += 3)
      places.set(transformPosition(toTile, [places[i]!, places[i + 1]!, places[i + 2]!]), i);
    parts.push(places);
  }
  if (parts.length === 1) return parts[0]!;
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
