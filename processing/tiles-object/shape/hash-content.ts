import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SideFile } from '../../models/find-side-file.ts';
import { placeBytes } from './shape-layout.ts';
import { withChanges, type Shape } from './shape.ts';

/** As many bits as numbers hold exactly, in whole bytes. */
export const hash48 = (content: Uint8Array | string): number =>
  hash('sha256', content, 'buffer').readUIntBE(0, 6);

/** Of all that is shown of a shape. @param packed its bytes */
export const contentHashOf = (packed: Uint8Array): number => hash48(packed.subarray(placeBytes));

/** Of image files, by their paths. */
const hashes = new Map<string, number>();

/** The shape with hashes of its images instead of their numbers, which depend on what else is among the inputs. */
export function withImageHashes(shape: Shape, images: readonly SideFile[]): Shape {
  if (!shape.looks.some((look) => 'image' in look)) return shape;
  const hashOf = (image: number): number => {
    const { path } = images[image]!;
    let found = hashes.get(path);
    if (found === undefined) hashes.set(path, (found = hash48(readFileSync(path))));
    return found;
  };
  const looks = shape.looks.map((look) => ('image' in look ? { ...look, image: hashOf(look.image) } : look));
  return withChanges(shape, { looks });
}
