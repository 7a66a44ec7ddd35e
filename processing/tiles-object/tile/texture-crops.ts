import type { ImageCrop, UvBox } from '../../models/texture/cut-crop.ts';
import type { RasterImage } from '../../kit/images/raster-image.ts';
import type { ShapeMesh } from '../shape/shape.ts';
import type { TileFeature } from './tile-vertices.ts';

/** Faces of one object that are cut from one part of an image. */
export interface TextureCrop extends ImageCrop {
  readonly feature: number;
  readonly image: number;
  readonly faces: number[];
  readonly inPixels: boolean;
  /** The size of the image, if the coordinates of the faces are in pixels and the box no longer is. */
  readonly size?: Pick<RasterImage, 'width' | 'height'>;
}

/** Of an image coordinate, also in pixels. */
const farthest = 1e5;
/** Parts are cut out together if that takes at most so much more of the image. */
const maxWaste = 1.5;

/** Finds the parts of images that the faces of a tile need. */
export function findCrops(features: readonly TileFeature[]): TextureCrop[] {
  return features.flatMap((feature, number) => cropsOf(feature, number));
}

function cropsOf({ shape, representation }: TileFeature, feature: number): TextureCrop[] {
  const { mesh, hasImages } = representation;
  if (mesh === undefined || !hasImages) return [];
  const single: TextureCrop[] = [];
  for (let face = 0; face < mesh.vertexEnds.length; face++) {
    const look = shape.looks[mesh.looks[face]!];
    if (look === undefined || !('image' in look)) continue;
    const measured = measureFace(mesh, face);
    if (measured === undefined) continue;
    const { image, repeats, inPixels = false } = look;
    single.push({ feature, image, faces: [face], repeats, inPixels, ...measured });
  }
  const alike = ({ image, repeats, inPixels }: TextureCrop): string => `${image} ${repeats} ${inPixels}`;
  return [...Map.groupBy(single, alike).values()].flatMap(together);
}

/** One crop instead of many, if it is not much larger. */
function together(crops: TextureCrop[]): TextureCrop[] {
  const [first, ...others] = crops;
  const box = others.reduce((all, { box: one }) => unionOf(all, one), first!.box);
  const boxes = crops.reduce((sum, one) => sum + areaOf(one.box), 0);
  if (areaOf(box) > boxes * maxWaste) return crops;
  const sum = (field: 'metres' | 'share'): number => crops.reduce((total, one) => total + one[field], 0);
  return [
    {
      ...first!,
      faces: crops.flatMap(({ faces }) => faces),
      box,
      metres: sum('metres'),
      share: sum('share'),
    },
  ];
}

/** The crop in image coordinates of an image whose size is known. */
export function withoutPixels(crop: TextureCrop, image: RasterImage): TextureCrop {
  if (!crop.inPixels) return crop;
  const { width, height } = image;
  const [left, bottom, right, top] = crop.box;
  const box: UvBox = [left / width, 1 + bottom / height, right / width, 1 + top / height];
  return { ...crop, box, share: crop.share / (width * height), size: image };
}

const areaOf = ([left, bottom, right, top]: UvBox): number => (right - left) * (top - bottom);

const unionOf = (a: UvBox, b: UvBox): UvBox => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

function measureFace(
  { positions, uvs, indices, vertexEnds, indexEnds }: ShapeMesh,
  face: number,
): { readonly box: UvBox; readonly metres: number; readonly share: number } | undefined {
  let box: UvBox = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = vertexEnds[face - 1] ?? 0; i < vertexEnds[face]!; i++) {
    const [u, v] = [uvs![i * 2]!, uvs![i * 2 + 1]!];
    if (!Number.isFinite(u + v) || Math.abs(u) > farthest || Math.abs(v) > farthest) return undefined;
    box = unionOf(box, [u, v, u, v]);
  }
  let [metres, share] = [0, 0];
  for (let i = indexEnds[face - 1] ?? 0; i < indexEnds[face]!; i += 3) {
    const [a, b, c] = [indices[i]!, indices[i + 1]!, indices[i + 2]!];
    const p = (vertex: number, axis: number): number => positions[vertex * 3 + axis]!;
    const [ux, uy, uz] = [p(b, 0) - p(a, 0), p(b, 1) - p(a, 1), p(b, 2) - p(a, 2)];
    const [vx, vy, vz] = [p(c, 0) - p(a, 0), p(c, 1) - p(a, 1), p(c, 2) - p(a, 2)];
    metres += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
    const t = (vertex: number, axis: number): number => uvs![vertex * 2 + axis]!;
    share +=
      Math.abs((t(b, 0) - t(a, 0)) * (t(c, 1) - t(a, 1)) - (t(c, 0) - t(a, 0)) * (t(b, 1) - t(a, 1))) / 2;
  }
  return { box, metres, share };
}
