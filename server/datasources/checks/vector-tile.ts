import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { UnusableData } from './refused.ts';
import { maxTileBytes } from '../parsing/unpack-tile.ts';

const usedExtent = 4096;
const layerField = 3;
const extentField = 5;
const unpack = promisify(gunzip);

/**
 * The viewer draws every vector tile as if its extent were 4096, so others appear in the wrong place.
 * @throws UnusableData
 */
export async function checkVectorTile(stored: Uint8Array): Promise<void> {
  const extent = extentOf(await unpacked(stored));
  if (extent === undefined || extent === usedExtent) return;
  throw new UnusableData(
    `Its tiles have an extent of ${extent} units, but the viewer supports only ${usedExtent}: create them again with a job of the type platenTilesVector or with --extent or “extent: ${usedExtent}” of your tiler.`,
  );
}

async function unpacked(stored: Uint8Array): Promise<Uint8Array> {
  if (stored[0] !== 0x1f || stored[1] !== 0x8b) return stored;
  try {
    return await unpack(stored, { maxOutputLength: maxTileBytes });
  } catch {
    throw new UnusableData('A tile in it is damaged.');
  }
}

/**
 * The extent of the first layer (Vector Tile Specification 2.1, 4.1); undefined if it is not a tile, which shows
 * nothing anyway.
 */
function extentOf(tile: Uint8Array): number | undefined {
  const layer = fieldsOf(tile)?.find(({ number, bytes }) => number === layerField && bytes)?.bytes;
  const fields = layer && fieldsOf(layer);
  if (!fields) return undefined;
  return fields.find(({ number }) => number === extentField)?.value ?? usedExtent;
}

interface Field {
  readonly number: number;
  readonly value?: number;
  readonly bytes?: Uint8Array;
}

/** The fields of a message of Protocol Buffers; undefined where it is none. */
function fieldsOf(message: Uint8Array): Field[] | undefined {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; at < message.length; shift *= 128) {
      const byte = message[at++]!;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
    return NaN;
  };
  while (at < message.length) {
    const key = varint();
    const [number, type] = [Math.floor(key / 8), key % 8];
    if (type === 0) fields.push({ number, value: varint() });
    else if (type === 2) {
      const length = varint();
      if (!(at + length <= message.length)) return undefined;
      fields.push({ number, bytes: message.subarray(at, at + length) });
      at += length;
    } else if (type === 1 || type === 5) at += type === 1 ? 8 : 4;
    else return undefined;
  }
  return fields;
}
