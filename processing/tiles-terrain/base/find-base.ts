import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import { JobFailure, type JobContext, type JobInput } from '../../job-type.ts';
import { keyOf } from '../../raster-source/zoom-layers.ts';
import type { SheetBox } from '../sheets/sheet-box.ts';
import { openBase, type BaseReader, type BaseTerrain } from './open-base.ts';

/** The base with what only the main thread needs. */
export interface FoundBase {
  readonly base: BaseTerrain;
  /** Its tiles, and all above them. */
  readonly places: readonly BlockPlace[];
  /** West, south, east, north in degrees, if it says so. */
  readonly bounds: SheetBox | undefined;
}

const maxTiles = 1_000_000;
const format = 'quantized-mesh-1.0';

/** Divides the inputs into terrain that is the base beneath, and all others. @throws JobFailure */
export async function divideBase(
  inputs: readonly JobInput[],
): Promise<{ readonly base: JobInput | undefined; readonly others: JobInput[] }> {
  const areBases = await Promise.all(inputs.map(isTerrain));
  const bases = inputs.filter((_, i) => areBases[i]);
  if (bases.length > 1)
    throw new JobFailure(
      'invalidOption',
      `${bases.map(({ name }) => name).join(' and ')} are both terrain: only one can be the base beneath the sheets.`,
    );
  return { base: bases[0], others: inputs.filter((_, i) => !areBases[i]) };
}

async function isTerrain({ name, path }: JobInput): Promise<boolean> {
  if (/\.pmtiles$/i.test(name)) return true;
  const isFolder = (await stat(path)).isDirectory();
  return (
    isFolder &&
    stat(join(path, 'layer.json')).then(
      (file) => file.isFile(),
      () => false,
    )
  );
}

/** Lists the tiles of the base. @throws JobFailure */
export async function findBase({ name, path }: JobInput): Promise<FoundBase> {
  const isFolder = (await stat(path)).isDirectory();
  const reader = await open({ name, path, isFolder });
  try {
    const places = await placesOf(reader, name);
    const maxZoom = places.reduce((highest, { z }) => Math.max(highest, z), 0);
    return { base: { name, path, isFolder, maxZoom }, places, bounds: boundsOf(reader.layer) };
  } finally {
    await reader.close();
  }
}

async function open(base: Omit<BaseTerrain, 'maxZoom'>): Promise<BaseReader> {
  const wrong = (cause?: unknown): JobFailure =>
    new JobFailure(
      'notRecognised',
      `${base.name} is no terrain of ${format}, which alone can be the base beneath the sheets. Leave it out, or make it by “Create terrain”.`,
      { cause },
    );
  const reader = await openBase(base).catch((error: unknown) => {
    throw error instanceof ArchiveError || error instanceof SyntaxError ? wrong(error) : error;
  });
  const { layer } = reader;
  if (layer?.['format'] === format && (layer['scheme'] ?? 'tms') === 'tms') return reader;
  await reader.close();
  throw wrong();
}

async function placesOf(reader: BaseReader, name: string): Promise<BlockPlace[]> {
  const places = new Map<string, BlockPlace>();
  for await (const place of reader.places()) {
    let { z, x, y } = place;
    while (z >= 0 && !places.has(keyOf({ z, x, y }))) {
      places.set(keyOf({ z, x, y }), { z, x, y });
      [z, x, y] = [z - 1, x >> 1, y >> 1];
    }
    if (places.size > maxTiles)
      throw new JobFailure(
        'tooLarge',
        `${name} has more than ${maxTiles} tiles, the most that can be the base beneath the sheets. Make a base with a lower mesh.maxZoom, or of less area.`,
      );
  }
  if (places.size === 0) throw new JobFailure('emptyInput', `${name} has no tile of terrain.`);
  return [...places.values()];
}

function boundsOf(layer: BaseReader['layer']): SheetBox | undefined {
  const bounds: unknown = layer?.['dataBounds'] ?? layer?.['bounds'];
  const isBox = Array.isArray(bounds) && bounds.length === 4 && bounds.every(Number.isFinite);
  return isBox ? (bounds as unknown as SheetBox) : undefined;
}

/** Says where the base does not do what it is for. @param maxZoom the highest zoom of the result */
export function reportBase(
  { base: { name, maxZoom: highest }, bounds }: FoundBase,
  [west, south, east, north]: SheetBox,
  { maxZoom, context }: { readonly maxZoom: number; readonly context: Pick<JobContext, 'warn' | 'log'> },
): void {
  if (bounds && (bounds[0] > east || bounds[2] < west || bounds[1] > north || bounds[3] < south))
    context.warn(
      'baseElsewhere',
      `${name} lies elsewhere: its data end at ${bounds.join(', ')} (west, south, east, north), where none of the sheets lies. Around the sheets, its heights are only those of coarse tiles.`,
      { file: name },
    );
  if (highest < maxZoom)
    context.log(
      'info',
      `${name} ends at zoom ${highest}: from there to zoom ${maxZoom}, its heights are interpolated.`,
    );
  if (highest > maxZoom)
    context.log(
      'info',
      `${name} has tiles up to zoom ${highest}, which end at ${maxZoom} here: set mesh.maxZoom to keep more of them.`,
    );
}
