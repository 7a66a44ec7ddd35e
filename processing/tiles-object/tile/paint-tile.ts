import { surfaceRoles } from '@platen/formats/city-object/surface-roles';
import type { ImageCodec } from '../../kit/images/image-codec.ts';
import type { RasterImage } from '../../kit/images/raster-image.ts';
import { linearOf, type Colour, type FaceColour } from './colours.ts';
import { cutCrop, needsRepeating, type CutCrop, type CutOptions } from '../../models/texture/cut-crop.ts';
import { packShelves } from '../../models/texture/pack-shelves.ts';
import { findCrops, withoutPixels, type TextureCrop } from './texture-crops.ts';
import type { Paint, TexturePage } from '../../models/glb/write-feature-tile.ts';
import type { PaintedFace } from './draw-faces.ts';
import type { PaintOf, TileFeature } from './tile-vertices.ts';

export interface PaintOptions extends CutOptions {
  readonly format: 'webp' | 'jpeg' | 'png';
  readonly quality: number;
  readonly faceColour: FaceColour;
  readonly codec: ImageCodec | undefined;
  /** Undefined if the image cannot be used. */
  readonly loadImage: (image: number) => Promise<RasterImage | undefined>;
}

export interface PaintedTile {
  readonly pages: readonly TexturePage[];
  readonly paints: readonly Paint[];
  readonly paintOf: PaintOf;
  /** The mean colour of the images of each feature; undefined without. */
  readonly meanColours: readonly (readonly [number, number, number] | undefined)[];
}

/** Pixels between crops, filled with those at their edges. */
const border = 2;
const opaque = 250;

/** Decides how the faces of a tile are drawn: cuts what they need out of images, and puts it on pages. */
export async function paintTile(
  features: readonly TileFeature[],
  options: PaintOptions,
): Promise<PaintedTile> {
  const crops = options.codec === undefined ? [] : findCrops(features);
  const textures = new Map<number, Map<number, { readonly page: number; readonly uvs: Float32Array }>>();
  const pages: TexturePage[] = [];
  const cut: { readonly crop: TextureCrop; readonly pixels: CutCrop }[] = [];
  const means = features.map(() => [0, 0, 0, 0] as [number, number, number, number]);
  const see = ({ feature, metres }: TextureCrop, { mean }: CutCrop): void => {
    const weight = Math.max(metres, 1e-6);
    for (let band = 0; band < 3; band++) means[feature]![band]! += mean[band]! * weight;
    means[feature]![3] += weight;
  };
  for (const [image, ofImage] of [...Map.groupBy(crops, (crop) => crop.image)].toSorted(
    ([a], [b]) => a - b,
  )) {
    const decoded = await options.loadImage(image);
    if (decoded === undefined) continue;
    const sized = ofImage.map((crop) => withoutPixels(crop, decoded));
    const whole = sized.filter(needsRepeating);
    if (whole.length > 0) {
      const crop = { ...whole[0]!, box: [0, 0, 1, 1] as const };
      const pixels = cutCrop({ ...crop, repeats: false }, decoded, options);
      pages.push(await encodePage(pixels, true, options));
      for (const one of whole) {
        see(one, pixels);
        place(features, textures, one, { page: pages.length - 1, toPage: (u, v) => [u, 1 - v] });
      }
    }
    for (const crop of sized) {
      if (needsRepeating(crop)) continue;
      const pixels = cutCrop(crop, decoded, options);
      see(crop, pixels);
      cut.push({ crop, pixels });
    }
  }
  const sizes = cut.map(({ pixels: { width, height } }) => ({
    width: width + 2 * border,
    height: height + 2 * border,
  }));
  const packed = packShelves(sizes, options.maxSide);
  const firstPage = pages.length;
  for (const [page, { width, height }] of packed.pages.entries()) {
    const rgba = new Uint8Array(width * height * 4);
    for (const [i, { crop, pixels }] of cut.entries()) {
      const where = packed.places[i]!;
      if (where.page !== page) continue;
      drawCrop(rgba, width, { pixels, left: where.left, top: where.top });
      const [left, bottom, right, top] = pixels.box;
      const toPage = (u: number, v: number): [number, number] => [
        (where.left + border + (clamp(u, left, right) - left) * (pixels.width / (right - left))) / width,
        (where.top + border + (top - clamp(v, bottom, top)) * (pixels.height / (top - bottom))) / height,
      ];
      place(features, textures, crop, { page: firstPage + page, toPage });
    }
    pages.push(await encodePage({ width, height, rgba }, false, options));
  }
  return { pages, ...paintsOf(features, { pages, textures, options, means }) };
}

const packed = ([red, green, blue, alpha]: Colour): number =>
  (red | (green << 8) | (blue << 16) | (alpha << 24)) >>> 0;
const white = packed([255, 255, 255, 255]);

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

type Textures = Map<number, Map<number, { readonly page: number; readonly uvs: Float32Array }>>;

function place(
  features: readonly TileFeature[],
  textures: Textures,
  { feature, faces, size }: TextureCrop,
  { page, toPage }: { readonly page: number; readonly toPage: (u: number, v: number) => [number, number] },
): void {
  const mesh = features[feature]!.representation.mesh!;
  let ofFeature = textures.get(feature);
  if (ofFeature === undefined) textures.set(feature, (ofFeature = new Map()));
  const [perU, perV, top] = size === undefined ? [1, 1, 0] : [1 / size.width, 1 / size.height, 1];
  for (const face of faces) {
    const [first, end] = [mesh.vertexEnds[face - 1] ?? 0, mesh.vertexEnds[face]!];
    const uvs = new Float32Array((end - first) * 2);
    for (let i = first; i < end; i++)
      uvs.set(toPage(mesh.uvs![i * 2]! * perU, top + mesh.uvs![i * 2 + 1]! * perV), (i - first) * 2);
    ofFeature.set(face, { page, uvs });
  }
}

interface Painting {
  readonly pages: readonly TexturePage[];
  readonly textures: Textures;
  readonly options: PaintOptions;
  readonly means: readonly (readonly [number, number, number, number])[];
}

function paintsOf(
  features: readonly TileFeature[],
  { pages, textures, options: { faceColour }, means }: Painting,
): Omit<PaintedTile, 'pages'> {
  const plain: Paint[] = [
    { page: undefined, isTranslucent: false },
    { page: undefined, isTranslucent: true },
  ];
  const plainFace = (colour: Colour): PaintedFace => ({
    paint: colour[3] < opaque ? 1 : 0,
    colour: packed(colour),
    uvs: undefined,
  });
  // most faces of a tile are drawn in a few ways, each of which is made once
  const byClass = new Map<string, PaintedFace[]>();
  const plainFaces = (name: string): PaintedFace[] => {
    let faces = byClass.get(name);
    if (faces === undefined)
      byClass.set(name, (faces = surfaceRoles.map((_, role) => plainFace(faceColour(name, role)))));
    return faces;
  };
  return {
    paints: [...plain, ...pages.map((_, page) => ({ page, isTranslucent: false }))],
    paintOf(feature) {
      const { shape } = features[feature]!;
      const byRole = plainFaces(shape.class);
      const ofFeature = textures.get(feature);
      return (face, role, number) => {
        const texture = ofFeature?.get(face);
        if (texture !== undefined)
          return { paint: plain.length + texture.page, colour: white, uvs: texture.uvs };
        const look = number < 0 ? undefined : shape.looks[number];
        if (look !== undefined && 'colour' in look) return plainFace(linearOf(look.colour));
        return byRole[role]!;
      };
    },
    meanColours: means.map(([red, green, blue, weight]) =>
      weight > 0 ? ([red / weight, green / weight, blue / weight] as const) : undefined,
    ),
  };
}

function drawCrop(
  rgba: Uint8Array,
  width: number,
  { pixels, left, top }: { readonly pixels: CutCrop; readonly left: number; readonly top: number },
): void {
  for (let y = -border; y < pixels.height + border; y++) {
    const row = clamp(y, 0, pixels.height - 1);
    for (let x = -border; x < pixels.width + border; x++) {
      const from = (row * pixels.width + clamp(x, 0, pixels.width - 1)) * 4;
      const to = ((top + border + y) * width + left + border + x) * 4;
      for (let band = 0; band < 4; band++) rgba[to + band] = pixels.rgba[from + band]!;
    }
  }
}

async function encodePage(
  { width, height, rgba }: Pick<CutCrop, 'width' | 'height' | 'rgba'>,
  repeats: boolean,
  { codec, format, quality }: PaintOptions,
): Promise<TexturePage> {
  let hasAlpha = false;
  for (let i = 3; i < rgba.length && !hasAlpha; i += 4)
    hasAlpha = rgba[i]! < opaque && rgba[i - 3]! + rgba[i]! > 0;
  const image = { width, height, bands: 4, samples: rgba };
  // JPEG has no alpha
  const used = format === 'jpeg' && hasAlpha ? 'png' : format;
  const bytes = await codec!.encode(
    image,
    used === 'webp'
      ? { format: used, quality, effort: 2 }
      : used === 'jpeg'
        ? { format: used, quality }
        : { format: used },
  );
  return { mimeType: `image/${used}`, bytes, hasAlpha, repeats };
}
