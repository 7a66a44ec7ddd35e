import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type { UnpackView } from './read-accessor.ts';

/** Resolves when the module of the decoder is compiled. */
export const readyToUnpack = (): Promise<void> => MeshoptDecoder.ready;

/** Unpacks EXT_meshopt_compression, once `readyToUnpack`. */
export const unpackMeshopt: UnpackView = (target, { count, byteStride, mode, filter }, source) =>
  MeshoptDecoder.decodeGltfBuffer(target, count, byteStride, source, mode, filter);
