import type { RasterImage } from '../../kit/images/raster-image.ts';
import { cutCrop, type CutCrop, type UvBox } from '../../models/texture/cut-crop.ts';
import type { ReadPart } from '../mesh/divide-mesh.ts';
import { compactPiece, type Atlas, type Piece } from '../mesh/piece.ts';
import { frameImage, packAtlas, type AtlasPlace, type FramedImage } from './atlas.ts';
import { findCharts } from './find-charts.ts';

export interface TextureOptions {
  readonly metresPerTexel: number;
  /** Of a page, in pixels. */
  readonly maxSide: number;
}

/** A part of a leaf with what its triangles need of the image. */
export function texturePart(part: ReadPart, image: RasterImage, options: TextureOptions): Piece {
  const charts = findCharts(part);
  const cut = charts.map(({ box, metres, share }) =>
    cutCrop({ box, metres, share, repeats: goesBeyond(box) }, image, options),
  );
  const framed = cut.map((crop) => frameImage(opaque(crop)));
  const images = framed.map(({ image: one }) => one);
  const { page, places } = packAtlas(images, 1, options.maxSide);
  const corners = part.indices.length;
  const positions = new Int32Array(corners * 3);
  const uvs = new Float32Array(corners * 2);
  const numbers = new Map<number, number>();
  const indices = new Uint32Array(corners);
  let count = 0;
  let corner = 0;
  for (const [i, { triangles }] of charts.entries()) {
    const toPage = pageMap(cut[i]!, framed[i]!, places[i]!);
    numbers.clear();
    for (const triangle of triangles) {
      for (let k = triangle; k < triangle + 3; k++) {
        const vertex = part.indices[k]!;
        let number = numbers.get(vertex);
        if (number === undefined) {
          numbers.set(vertex, (number = count++));
          for (let axis = 0; axis < 3; axis++)
            positions[number * 3 + axis] = part.positions[vertex * 3 + axis]!;
          const [u, v] = [part.uvs![vertex * 2]!, part.uvs![vertex * 2 + 1]!];
          uvs.set(toPage(u, v), number * 2);
        }
        indices[corner++] = number;
      }
    }
  }
  const own = {
    positions: positions.slice(0, count * 3),
    uvs: uvs.slice(0, count * 2),
    colours: undefined,
    indices,
  };
  return { ...own, atlas: page };
}

/** Whether a chart needs the image to repeat, and not only to be rounded. */
const goesBeyond = (box: UvBox): boolean => box.some((value) => value < -0.001 || value > 1.001);

/** From coordinates of the source image, v upwards, to those of the page, v downwards. */
function pageMap(
  { width, height, box: [left, bottom, right, top] }: CutCrop,
  { image, left: borderLeft, top: borderTop }: FramedImage,
  { scale, offset }: AtlasPlace,
): (u: number, v: number) => readonly [number, number] {
  return (u, v) => [
    ((borderLeft + ((u - left) / (right - left)) * width) / image.width) * scale[0] + offset[0],
    ((borderTop + ((top - v) / (top - bottom)) * height) / image.height) * scale[1] + offset[1],
  ];
}

/** Photographs cover all: what is transparent in them is background. */
function opaque({ width, height, rgba }: Atlas): Atlas {
  for (let i = 3; i < rgba.length; i += 4) rgba[i] = 255;
  return { width, height, rgba };
}

const swatchSide = 8;

/** A part of a textured model that has colours alone: a little image for each of them. */
export function paintPart(part: ReadPart, colour: readonly [number, number, number]): Piece {
  const { positions, indices } = part;
  const rgba = new Uint8Array(swatchSide * swatchSide * 4);
  for (let i = 0; i < rgba.length; i += 4)
    rgba.set([...colour.map((value) => Math.round(value * 255)), 255], i);
  const uvs = new Float32Array((positions.length / 3) * 2).fill(0.5);
  return {
    ...compactPiece({ positions, uvs, colours: undefined, indices }),
    atlas: { width: swatchSide, height: swatchSide, rgba },
  };
}
