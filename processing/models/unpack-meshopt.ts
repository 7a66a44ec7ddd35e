import type { UnpackView } from '@platen/formats/mesh/read-accessor';
import { MeshoptDecoder } from 'meshoptimizer/decoder';

/** Unpacks EXT_meshopt_compression, once `MeshoptDecoder.ready`. */
export const unpackMeshopt: UnpackView = (target, { count, byteStride, mode, filter }, source) =>
  MeshoptDecoder.decodeGltfBuffer(target, count, byteStride, source, mode, filter);
