import { compose, identity, multiply, type Matrix } from '@platen/geo/geodesy/matrix';
import type { Vector } from '@platen/geo/geodesy/geocentric';
import type { Gltf, GltfNode, GltfPrimitive } from './gltf.ts';

export interface PlacedPrimitive {
  /** The numbers of its node and of those above it, from the top. */
  readonly path: readonly number[];
  readonly primitive: GltfPrimitive;
  readonly matrix: Matrix;
}

export interface PlacedNodes {
  readonly primitives: readonly PlacedPrimitive[];
  /** Nodes that contain themselves, which no glTF may have. */
  readonly cycles: number;
  /** Numbers of nodes and meshes that do not exist. */
  readonly dangling: number;
  /** Whether there were more nodes than were visited. */
  readonly isCutOff: boolean;
}

const maxPlacedNodes = 200_000;
const deepest = 1000;

/** Everything that is drawn, with what moves it to its place. */
export function placeNodes(gltf: Gltf): PlacedNodes {
  const primitives: PlacedPrimitive[] = [];
  const open = new Set<number>();
  let [cycles, dangling, visited] = [0, 0, 0];
  let isCutOff = false;
  // a frame without a node closes the one it names
  const stack: { index: number; matrix: Matrix | undefined }[] = [];
  const push = (index: number, matrix: Matrix): void => {
    if (stack.length < maxPlacedNodes) stack.push({ index, matrix });
    else isCutOff = true;
  };
  for (const root of gltf.roots.toReversed()) push(root, identity);
  while (stack.length > 0) {
    const { index, matrix } = stack.pop()!;
    if (matrix === undefined) {
      open.delete(index);
      continue;
    }
    const node = gltf.nodes[index];
    if (node === undefined) dangling++;
    else if (open.has(index)) cycles++;
    else if (++visited > maxPlacedNodes || open.size > deepest) isCutOff = true;
    else {
      const own = multiply(matrix, matrixOf(node));
      const mesh = node.mesh === undefined ? [] : gltf.meshes[node.mesh];
      if (mesh === undefined) dangling++;
      for (const primitive of mesh ?? []) {
        if (primitives.length < maxPlacedNodes)
          primitives.push({ path: [...open, index], primitive, matrix: own });
        else isCutOff = true;
      }
      open.add(index);
      stack.push({ index, matrix: undefined });
      for (const child of node.children) push(child, own);
    }
  }
  return { primitives, cycles, dangling, isCutOff };
}

function matrixOf({ matrix, translation, rotation, scale }: GltfNode): Matrix {
  if (matrix !== undefined) return matrix;
  if (translation === undefined && rotation === undefined && scale === undefined) return identity;
  return compose({
    translation: (translation ?? [0, 0, 0]) as unknown as Vector,
    rotation: (rotation ?? [0, 0, 0, 1]) as unknown as [number, number, number, number],
    scale: (scale ?? [1, 1, 1]) as unknown as Vector,
  });
}
