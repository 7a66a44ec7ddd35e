import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SideFile } from '../../models/find-side-file.ts';
import { hashWords } from './hash-words.ts';
import { placeBytes } from './shape-layout.ts';
import { withChanges, type Shape } from './shape.ts';

/** Of all that is shown of a shape. @param packed its bytes */
export const contentHashOf = ({ buffer, byteOffset, length }: Uint8Array): number =>
  hashWords(
    new Int32Array(buffer, byteOffset + placeBytes, (length - placeBytes) / 4),
    (length - placeBytes) / 4,
  );

/** Of image files, by their paths. */
const hashes = new Map<string, number>();

/** The shape with hashes of its images instead of their numbers, which depend on what else is among the inputs. */
export function withImageHashes(shape: Shape, images: readonly SideFile[]): Shape {
  if (!shape.looks.some((look) => 'image' in look)) return shape;
  const hashOf = (image: number): number => {
    const { path } = images[image]!;
    let found = hashes.get(path);
    if (found === undefined)
      hashes.set(path, (found = hash('sha256', readFileSync(path), 'buffer').readUIntBE(0, 6)));
    return found;
  };
  const looks = shape.looks.map((look) => ('image' in look ? { ...look, image: hashOf(look.image) } : look));
  return withChanges(shape, { looks });
}
