import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ImageError } from '../kit/images/image-error.ts';
import { requireImageCodec } from '../kit/images/image-codec.ts';
import type { RasterImage } from '../kit/images/raster-image.ts';
import { openScratchFile } from '../kit/scratch-file.ts';
import { createWarningCounter, type WarningCounter } from '../kit/warning-counter.ts';
import { divideMesh, type ReadPart } from './mesh/divide-mesh.ts';
import { mergePieces } from './mesh/merge-pieces.ts';
import { appendValue, compactPiece, readValue, type Piece } from './mesh/piece.ts';
import type { ReadMaterial, ReadModel } from './read-task.ts';
import type { CutAnswer, Setup, Task } from './tasks.ts';
import { paintPart, texturePart } from './texture/texture-part.ts';

const bytesPerPixel = 4;
/** Of surfaces of which nothing is known. */
const plainColour = [0.84, 0.82, 0.78] as const;

/** Cuts a model into the cells of the tree, with what each needs of the images. */
export async function cutTask(setup: Setup, task: Extract<Task, { kind: 'cut' }>): Promise<CutAnswer> {
  const { folder, attempt, settings } = setup;
  const { model, root, isTextured } = task;
  const warnings = createWarningCounter();
  const { parts, materials } = readValue(task.mesh) as ReadModel;
  const leaves = new Map<string, { readonly part: ReadPart; piece: Piece | undefined }[]>();
  for (const part of parts)
    divideMesh(part, root, ({ name }, cut) => {
      const own = leaves.get(name);
      const one = { part: cut, piece: undefined };
      if (own === undefined) leaves.set(name, [one]);
      else own.push(one);
    });
  const imageOf = ({ material, uvs }: ReadPart): number =>
    uvs === undefined || !isTextured ? -1 : (materials[material]?.image ?? -1);
  const byImage = Map.groupBy([...leaves.values()].flat(), ({ part }) => imageOf(part));
  for (const [number, cuts] of [...byImage].toSorted(([a], [b]) => a - b)) {
    const image = number < 0 ? undefined : await loadImage(setup, number, warnings);
    for (const cut of cuts)
      cut.piece =
        image === undefined
          ? colouredPiece(cut.part, materials[cut.part.material], isTextured)
          : texturePart(cut.part, image, {
              metresPerTexel: settings.metresPerTexel,
              maxSide: settings.textureSide,
            });
  }
  const file = openScratchFile(join(folder, `cut-${attempt}-${model}`));
  const pieces = [...leaves].map(([leaf, cuts]) => {
    const piece = mergePieces(
      cuts.map((cut) => cut.piece!),
      1,
      settings.textureSide,
    );
    return { leaf, range: appendValue(file, piece) };
  });
  file.flush();
  file.close();
  return { kind: 'cut', model, pieces, warnings: warnings.take() };
}

function colouredPiece(part: ReadPart, material: ReadMaterial | undefined, isTextured: boolean): Piece {
  const [red, green, blue] = material?.colour ?? plainColour;
  if (isTextured) return paintPart(part, meanColour(part) ?? [red, green, blue]);
  const count = part.positions.length / 3;
  const plain = [red, green, blue, 1].map((value) => Math.round(value * 255));
  const colours = part.colours ?? Uint8Array.from({ length: count * 4 }, (_, i) => plain[i % 4]!);
  return { ...compactPiece({ ...part, uvs: undefined, colours }), atlas: undefined };
}

function meanColour({ colours, indices }: ReadPart): readonly [number, number, number] | undefined {
  if (colours === undefined) return undefined;
  const sums: [number, number, number] = [0, 0, 0];
  for (const vertex of indices)
    for (let band = 0; band < 3; band++) sums[band]! += colours[vertex * 4 + band]!;
  return sums.map((sum) => sum / indices.length / 255) as [number, number, number];
}

async function loadImage(
  { images, imageBytes }: Setup,
  number: number,
  { warn }: WarningCounter,
): Promise<RasterImage | undefined> {
  const { path, name } = images[number]!;
  const codec = await requireImageCodec();
  try {
    const maxPixels = Math.floor(imageBytes / bytesPerPixel);
    return await codec.decode(await readFile(path), { bands: 4, maxPixels });
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    warn('missingTextures', `${name} cannot be used as a texture: ${error.message}`, { image: name });
    return undefined;
  }
}
