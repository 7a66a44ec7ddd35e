import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { packMember, type DeflateEffort } from '@platen/formats/zip/pack-member';
import { ImageError } from '../kit/images/image-error.ts';
import { openImageCodec, type ImageCodec } from '../kit/images/image-codec.ts';
import type { RasterImage } from '../kit/images/raster-image.ts';
import { openScratchFile } from '../kit/scratch-file.ts';
import { createWarningCounter } from '../kit/warning-counter.ts';
import type { ReadNames } from './shape/name-lists.ts';
import { rangeFrom, readShapes } from './shape/read-shapes.ts';
import { openShapeFile } from './shape/shape-file.ts';
import { rangesOf, runsOf } from './shape/shape-runs.ts';
import type { MadeTile, Setup, Task } from './tasks.ts';
import { createFaceColours } from './tile/colours.ts';
import { encoderReady } from '../models/glb/encode-primitive.ts';
import type { FaceCollector } from './tile/face-collector.ts';
import { paintTile } from './tile/paint-tile.ts';
import { frameOf, regionOf, tilePrimitives } from './tile/tile-vertices.ts';
import { writeTile } from './tile/write-tile.ts';
import { chooseCoarse, forTilesAbove, metresPerTexelAt } from './tree/ladder.ts';

/** What meshoptimizer has packed gets hardly smaller by more. */
const tileEffort: DeflateEffort = { level: 5, memLevel: 9 };

type TileTask = Extract<Task, { kind: 'tile' }>;

/** Coarse tiles hold many small objects: their features are limited by their numbers alone. */
const maxFeatures = 65_535;
/** Of a page of textures, what crops usually fill. */
export const filledShare = 0.7;

/** Makes the tiles of one thread. */
export async function createTileMaker(setup: Setup): Promise<(task: TileTask) => Promise<MadeTile>> {
  const { settings, folder, attempt, worker, found } = setup;
  await encoderReady();
  const codec =
    settings.textureFormat === 'none' || found.images.length === 0 ? undefined : await openImageCodec();
  const contents = openScratchFile(join(folder, `tiles-${attempt}-${worker}`));
  const ladder = openShapeFile(join(folder, `ladder-${attempt}-${worker}`));
  const warnings = createWarningCounter();
  const faceColour = createFaceColours(settings.colours);
  const loadImage = createImageLoader(setup, codec, warnings.warn);
  const names: ReadNames = new Map();
  const collectors: FaceCollector[] = [];
  const texels = settings.textureSide ** 2 * filledShare;

  return async ({ name, properties, shapes: runs, leastError, hasParent }) => {
    const ranges = rangesOf(runs);
    const shapes = readShapes(ranges, names);
    const budget = { triangles: settings.maxTriangles, features: maxFeatures, texels };
    const { error, features } =
      leastError === undefined
        ? {
            error: 0,
            features: shapes.map((shape) => ({ shape, representation: shape.representations[0]! })),
          }
        : chooseCoarse(shapes, leastError, budget);
    const empty = { kind: 'tile', name, error, triangles: 0, handedUp: [] } as const;
    if (features.length === 0)
      return { ...empty, content: undefined, region: undefined, warnings: warnings.take() };
    const region = regionOf(features);
    const frame = frameOf(region);
    const { pages, paints, paintOf, meanColours } = await paintTile(features, {
      metresPerTexel: metresPerTexelAt(error, settings.metresPerTexel),
      maxSide: settings.textureSide,
      format: settings.textureFormat === 'none' ? 'webp' : settings.textureFormat,
      quality: settings.textureQuality,
      faceColour,
      codec,
      loadImage,
    });
    const primitives = tilePrimitives(features, frame, { paints, paintOf, collectors });
    const used = primitives.map((one) => one.paint.page).filter((page) => page !== undefined);
    const content = { features, primitives, pages: used.length === 0 ? [] : pages, frame, error };
    const { version, isUnlit, hasOutlines } = settings;
    const bytes = writeTile(content, { version, properties, isUnlit, hasOutlines });
    const packed = packMember(name, bytes, 'deflate', tileEffort);
    const start = contents.length;
    contents.append(packed.bytes);
    contents.flush();
    const handedUp = (hasParent ? features : []).map((feature, i) => {
      const meanColour = meanColours[i];
      return meanColour === undefined
        ? rangeFrom(feature.shape, feature.representation)
        : ladder.append(ladder.pack(forTilesAbove(feature, meanColour)));
    });
    ladder.flush();
    return {
      kind: 'tile',
      name,
      content: {
        range: { path: contents.path, start, end: contents.length },
        packing: packed.packing,
        size: packed.size,
        crc32: packed.crc32,
      },
      error,
      region,
      handedUp: runsOf(handedUp),
      triangles: primitives.reduce((sum, { indices }) => sum + indices.length / 3, 0),
      warnings: warnings.take(),
    };
  };
}

const bytesPerPixel = 4;

/** Reads images as RGBA, and keeps the last one. */
function createImageLoader(
  { found, imageBytes }: Setup,
  codec: ImageCodec | undefined,
  warn: ReturnType<typeof createWarningCounter>['warn'],
): (number: number) => Promise<RasterImage | undefined> {
  const broken = new Set<number>();
  let last: { readonly number: number; readonly image: RasterImage } | undefined;
  return async (number) => {
    if (codec === undefined || broken.has(number)) return undefined;
    if (last?.number === number) return last.image;
    const { path, name } = found.images[number]!;
    try {
      const bytes = await readFile(path);
      const image = await codec.decode(bytes, {
        bands: 4,
        maxPixels: Math.floor(imageBytes / bytesPerPixel),
      });
      last = { number, image };
      return image;
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      broken.add(number);
      warn('missingTextures', `${name} cannot be used as a texture: ${error.message}`, { image: name });
      return undefined;
    }
  };
}
