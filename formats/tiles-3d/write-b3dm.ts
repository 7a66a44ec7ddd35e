import { padded } from '../gltf/write-glb.ts';

const headerBytes = 28;

/**
 * Writes a batched 3D model (OGC 18-053r2, 10) of a GLB whose vertices have a `_BATCHID`.
 * @param batchTable a list of values for each property
 */
export function writeB3dm(glb: Uint8Array, batchLength: number, batchTable: object): Uint8Array {
  const features = jsonPart({ BATCH_LENGTH: batchLength }, headerBytes);
  const batch = jsonPart(batchTable, 0);
  const model = padded(glb, 0, 8);
  const header = Buffer.alloc(headerBytes);
  header.write('b3dm', 0, 'latin1');
  header.writeUInt32LE(1, 4);
  header.writeUInt32LE(headerBytes + features.length + batch.length + model.length, 8);
  header.writeUInt32LE(features.length, 12);
  header.writeUInt32LE(0, 16);
  header.writeUInt32LE(batch.length, 20);
  header.writeUInt32LE(0, 24);
  return Buffer.concat([header, features, batch, model]);
}

/** JSON with spaces at its end, so that it ends at a multiple of 8 bytes of the tile. */
function jsonPart(value: object, start: number): Uint8Array {
  const text = Buffer.from(JSON.stringify(value));
  const rest = (8 - ((start + text.length) % 8)) % 8;
  return Buffer.concat([text, Buffer.alloc(rest, 0x20)]);
}
