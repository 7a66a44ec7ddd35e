import type { GlbParts } from './encode-primitive.ts';

/**
 * Puts the views of what is packed behind all others, and tells accessors which are theirs: they are unpacked into a
 * second buffer, which is in no file.
 */
export function packedBuffers({ buffer, accessors, packedViews }: GlbParts): {
  readonly bufferViews: readonly object[];
  readonly buffers: readonly object[];
} {
  const firstPacked = buffer.bufferViews.length;
  let restored = 0;
  for (const view of packedViews) {
    view['buffer'] = 1;
    view['byteOffset'] = restored;
    restored += Math.ceil(Number(view['byteLength']) / 8) * 8;
  }
  for (const accessor of accessors) {
    if (accessor['packedView'] === undefined) continue;
    accessor['bufferView'] = firstPacked + Number(accessor['packedView']);
    delete accessor['packedView'];
  }
  const own = { byteLength: Math.ceil(buffer.length / 4) * 4 };
  const unpacked = { byteLength: restored, extensions: { EXT_meshopt_compression: { fallback: true } } };
  return {
    bufferViews: [...buffer.bufferViews, ...packedViews],
    buffers: packedViews.length === 0 ? [own] : [own, unpacked],
  };
}
