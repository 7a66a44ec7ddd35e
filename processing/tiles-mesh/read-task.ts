import { join } from 'node:path';
import { openFile } from '@platen/formats/bytes/open-file';
import { readImageHeader } from '@platen/formats/image/read-header';
import type { MeshMaterial, MeshModel } from '@platen/formats/mesh-model/mesh-model';
import { SourceError } from '@platen/formats/source/source';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { localFrameAt } from '@platen/geo/geodesy/local-frame';
import { JobFailure } from '../job-type.ts';
import { openScratchFile } from '../kit/scratch-file.ts';
import { reportToPool } from '../kit/serve-tasks.ts';
import { createWarningCounter, type WarningCounter } from '../kit/warning-counter.ts';
import { createFileFinder } from '../models/find-side-file.ts';
import { openPlacement, type Placement } from '../models/open-placement.ts';
import { meshNotices, readMeshFile } from '../models/read-mesh-file.ts';
import { heightsFor } from '../heights/height-mode.ts';
import { usedHeights } from '../models/used-heights.ts';
import { createCellCounter } from './mesh/count-cells.ts';
import type { ReadPart } from './mesh/divide-mesh.ts';
import { appendValue } from './mesh/piece.ts';
import { placePart } from './mesh/place-part.ts';
import type { FoundAnswer, Origin, ReadAnswer, Setup } from './tasks.ts';

/** What cutting needs of a material. Plain data. */
export interface ReadMaterial {
  /** The number of an image of the job. */
  readonly image: number | undefined;
  readonly colour: MeshMaterial['colour'];
}

export interface ReadModel {
  readonly parts: readonly ReadPart[];
  readonly materials: readonly ReadMaterial[];
}

/** Finds a position of a model, from which all others are counted. */
export async function findTask(setup: Setup, model: number): Promise<FoundAnswer> {
  const answer = { kind: 'find', model, origin: undefined, failure: undefined } as const;
  try {
    const { read, placement } = await openModel(setup, model, createWarningCounter());
    const first = read.objects[0]?.parts[0]?.positions.slice(0, 3);
    if (first === undefined) return answer;
    placement.toGeocentric(first);
    const [lon, lat, height] = geodeticOf([first[0]!, first[1]!, first[2]!]);
    return Number.isFinite(lon + lat + height) ? { ...answer, origin: { lon, lat, height } } : answer;
  } catch (error) {
    return { ...answer, failure: faultOf(error, setup.models[model]!.name) };
  }
}

/** Reads a model into triangles in the frame of the job, which go to a scratch file. */
export async function readTask(setup: Setup, model: number, origin: Origin): Promise<ReadAnswer> {
  const warnings = createWarningCounter();
  const { name, size } = setup.models[model]!;
  const nothing = {
    kind: 'read',
    model,
    mesh: undefined,
    grid: { side: 1, cells: [] },
    hasImages: false,
    lowest: Infinity,
    triangles: 0,
    heights: undefined,
    failure: undefined,
  } as const;
  try {
    const { read, placement } = await openModel(setup, model, warnings);
    const frame = localFrameAt(origin.lon, origin.lat, origin.height);
    const parts: ReadPart[] = [];
    let lowest = Infinity;
    for (const { parts: all } of read.objects) {
      for (const part of all) {
        const placed = placePart(part, placement, frame);
        parts.push(...placed.parts);
        lowest = Math.min(lowest, placed.lowest);
        if (placed.outside > 0)
          warnings.warn(
            'missingSurfaces',
            `${name}: triangles far away from the first one, or outside of the coordinate system, are left out.`,
            undefined,
            placed.outside,
          );
      }
    }
    const materials = materialsOf(setup, read, name, warnings);
    const file = openScratchFile(join(setup.folder, `mesh-${setup.attempt}-${model}`));
    const counter = createCellCounter(parts);
    for (const part of parts)
      counter.add(
        part,
        await imageSize(setup, materials[part.material]?.image),
        setup.settings.metresPerTexel,
      );
    const triangles = parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
    const mesh = triangles === 0 ? undefined : appendValue(file, { parts, materials } satisfies ReadModel);
    file.flush();
    file.close();
    reportToPool({ bytes: size });
    return {
      ...nothing,
      mesh,
      grid: counter.grid(),
      hasImages: parts.some(
        ({ material, uvs }) => uvs !== undefined && materials[material]?.image !== undefined,
      ),
      lowest,
      triangles,
      heights: usedHeights(setup.settings.mode, placement.heights),
      warnings: warnings.take(),
    };
  } catch (error) {
    return { ...nothing, warnings: warnings.take(), failure: faultOf(error, name) };
  }
}

/** Why a file cannot be used. @throws whatever is a bug */
export function faultOf(error: unknown, name: string): FoundAnswer['failure'] {
  if (error instanceof SourceError) return { code: error.code, message: `${name}: ${error.message}.` };
  if (error instanceof JobFailure) return { code: error.code, message: error.message };
  throw error;
}

async function openModel(
  { settings, models, sides, inputs, geoidFolder, maxDecodingBytes }: Setup,
  model: number,
  { warn }: WarningCounter,
): Promise<{ readonly read: MeshModel; readonly placement: Placement }> {
  const file = models[model]!;
  const read = await readMeshFile(file, {
    sides,
    maxDecodingBytes,
    onNotice(notice, detail) {
      const { code, text } = meshNotices[notice];
      warn(code, `${file.name}: ${text}`, { detail });
    },
  });
  const [x = 0, y = 0, z = 0] = read.objects[0]?.parts[0]?.positions ?? [];
  const { placement, heights, mode } = settings;
  const opened = await openPlacement(
    { ...file, position: [x, y, z], place: read.place },
    {
      placement,
      heights: heightsFor(mode, heights),
      context: { inputs, warn, ...(geoidFolder !== undefined && { geoidFolder }) },
    },
  );
  return { read, placement: opened };
}

function materialsOf(
  { images, settings }: Setup,
  { materials }: MeshModel,
  from: string,
  { warn }: WarningCounter,
): ReadMaterial[] {
  const find = createFileFinder(images);
  return materials.map(({ image, colour }) => {
    if (image === undefined || settings.textureFormat === 'none') return { image: undefined, colour };
    const number = find(image, from);
    if (number === undefined)
      warn(
        'missingTextures',
        `${from}: textures are not among the inputs. Upload them in one zip file with the model.`,
        { image },
      );
    return { image: number, colour };
  });
}

async function imageSize(
  { images }: Setup,
  number: number | undefined,
): Promise<{ readonly width: number; readonly height: number } | undefined> {
  if (number === undefined) return undefined;
  const file = await openFile(images[number]!.path);
  try {
    return await readImageHeader(file);
  } finally {
    await file.close();
  }
}
