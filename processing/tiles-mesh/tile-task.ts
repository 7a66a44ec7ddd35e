import { join } from 'node:path';
import { packMember } from '@platen/formats/zip/pack-member';
import { localFrameAt } from '@platen/geo/geodesy/local-frame';
import { openImageCodec, type ImageCodec } from '../kit/images/image-codec.ts';
import { openScratchFile } from '../kit/scratch-file.ts';
import { encoderReady } from '../models/glb/encode-primitive.ts';
import { addSkirts } from './mesh/add-skirts.ts';
import { mergePieces } from './mesh/merge-pieces.ts';
import { appendValue, areaOf, readValue, unitMetres, type Piece } from './mesh/piece.ts';
import { simplifierReady, simplifyPiece } from './mesh/simplify-piece.ts';
import type { Settings } from './settings.ts';
import type { MadeTile, Setup, TileTask } from './tasks.ts';
import { fillGaps } from './texture/atlas.ts';
import { pieceRegion } from './tile/piece-region.ts';
import { writeMeshTile, type TileImage } from './tile/write-mesh-tile.ts';

/** A coarse tile has a quarter of the triangles below, and half as many pixels a side. */
const keptShare = 1 / 4;
const imageScale = 1 / 2;
/** Metres of error for a metre of a pixel: viewers load finer tiles where a pixel would be larger than 1.6 on screen. */
const errorPerTexel = 10;
/** The least error of a coarse tile, and the least depth of a skirt, by its size. */
const leastErrorShare = 1 / 1000;
const leastSkirtShare = 1 / 300;
/** What two neighbours may differ by, by the error of one. */
const skirtPerError = 4;

/** Makes the tiles of one thread. */
export async function createTileMaker(setup: Setup): Promise<(task: TileTask) => Promise<MadeTile>> {
  const { settings, folder, attempt, worker } = setup;
  await Promise.all([encoderReady(), simplifierReady()]);
  const codec = await openImageCodec();
  const contents = openScratchFile(join(folder, `tiles-${attempt}-${worker}`));
  const handedUp = openScratchFile(join(folder, `pieces-${attempt}-${worker}`));
  return async (task) => {
    const { name, box, errorBelow, hasParent, hasSkirts, keepsBorder } = task;
    const nothing = { kind: 'tile', name, error: errorBelow ?? 0, triangles: 0 } as const;
    const pieces = task.pieces.map((range) => readValue(range) as Piece);
    const isLeaf = errorBelow === undefined;
    const merged = mergePieces(pieces, isLeaf ? 1 : imageScale, settings.textureSide);
    if (merged.indices.length === 0)
      return { ...nothing, content: undefined, region: undefined, piece: undefined };
    const size = (box[2] - box[0]) * unitMetres;
    const triangles = Math.ceil((merged.indices.length / 3) * keptShare);
    const { piece, error: moved } = isLeaf
      ? { piece: merged, error: 0 }
      : simplifyPiece(merged, { triangles, box, keepsBorder });
    const error = isLeaf
      ? 0
      : Math.max(errorBelow + moved, texelOf(piece) * errorPerTexel, size * leastErrorShare);
    const depth = Math.max(error * skirtPerError, size * leastSkirtShare);
    const shown = hasSkirts ? addSkirts(piece, box, depth) : piece;
    const frame = localFrameAt(task.origin.lon, task.origin.lat, task.origin.height);
    const image = await encodeAtlas(piece, settings, codec);
    const bytes = writeMeshTile(shown, {
      frame,
      image,
      isUnlit: settings.isUnlit ?? image !== undefined,
      minStep: task.minStep,
    });
    const packed = packMember(name, bytes, 'deflate');
    const start = contents.length;
    contents.append(packed.bytes);
    contents.flush();
    const range = hasParent ? appendValue(handedUp, piece) : undefined;
    handedUp.flush();
    return {
      ...nothing,
      content: {
        range: { path: contents.path, start, end: contents.length },
        packing: packed.packing,
        size: packed.size,
        crc32: packed.crc32,
      },
      error,
      region: pieceRegion(shown, frame),
      piece: range,
      triangles: piece.indices.length / 3,
    };
  };
}

/** Metres of a pixel of the image. */
function texelOf({ positions, indices, atlas }: Piece): number {
  if (atlas === undefined) return 0;
  let metres = 0;
  for (let i = 0; i < indices.length; i += 3)
    metres += areaOf(positions, indices[i]!, indices[i + 1]!, indices[i + 2]!);
  let pixels = 0;
  for (let i = 3; i < atlas.rgba.length; i += 4) if (atlas.rgba[i] !== 0) pixels++;
  return Math.sqrt(metres / Math.max(1, pixels));
}

async function encodeAtlas(
  { atlas }: Piece,
  { textureFormat, textureQuality: quality }: Settings,
  codec: ImageCodec | undefined,
): Promise<TileImage | undefined> {
  if (atlas === undefined || codec === undefined) return undefined;
  const { width, height } = atlas;
  const filled = { width, height, rgba: atlas.rgba.slice() };
  fillGaps(filled);
  const samples = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let band = 0; band < 3; band++) samples[pixel * 3 + band] = filled.rgba[pixel * 4 + band]!;
  const image = { width, height, bands: 3, samples };
  const bytes = await codec.encode(
    image,
    textureFormat === 'jpeg' ? { format: 'jpeg', quality } : { format: 'webp', quality, effort: 2 },
  );
  return { mimeType: textureFormat === 'jpeg' ? 'image/jpeg' : 'image/webp', bytes };
}
