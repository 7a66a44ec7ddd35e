import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import { JobFailure, type JobInput } from '../job-type.ts';
import { keyOf } from '../raster-source/zoom-layers.ts';
import { openTerrain, type TerrainReader, type TerrainSource } from './open-terrain.ts';

type Box = readonly [west: number, south: number, east: number, north: number];

/** Terrain, and where it has data. Plain data. */
export interface PlacedTerrain {
  readonly source: TerrainSource;
  /** West, south, east, north in degrees, if it says so. */
  readonly bounds: Box | undefined;
}

/** Terrain with what only the main thread needs. */
export interface FoundTerrain extends PlacedTerrain {
  /** Its tiles, and all above them. */
  readonly places: readonly BlockPlace[];
}

const maxTiles = 1_000_000;
const format = 'quantized-mesh-1.0';

/** Divides the inputs into terrain, and all others. @throws JobFailure */
export async function divideTerrain(
  inputs: readonly JobInput[],
): Promise<{ readonly terrain: JobInput | undefined; readonly others: JobInput[] }> {
  const areTerrain = await Promise.all(inputs.map(isTerrain));
  const found = inputs.filter((_, i) => areTerrain[i]);
  if (found.length > 1)
    throw new JobFailure(
      'invalidOption',
      `${found.map(({ name }) => name).join(' and ')} are both terrain: only one can be used.`,
    );
  return { terrain: found[0], others: inputs.filter((_, i) => !areTerrain[i]) };
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

/** Lists the tiles of terrain. @throws JobFailure */
export async function findTerrain({ name, path }: JobInput): Promise<FoundTerrain> {
  const isFolder = (await stat(path)).isDirectory();
  const reader = await open({ name, path, isFolder });
  try {
    const places = await placesOf(reader, name).catch((error: unknown) => {
      if (!(error instanceof ArchiveError)) throw error;
      throw new JobFailure('brokenFile', `${name} is damaged: ${error.message}. Make this terrain again.`, {
        cause: error,
      });
    });
    const maxZoom = places.reduce((highest, { z }) => Math.max(highest, z), 0);
    return { source: { name, path, isFolder, maxZoom }, places, bounds: boundsOf(reader.layer) };
  } finally {
    await reader.close();
  }
}

async function open(source: Omit<TerrainSource, 'maxZoom'>): Promise<TerrainReader> {
  const wrong = (cause?: unknown): JobFailure =>
    new JobFailure(
      'notRecognised',
      `${source.name} is no terrain of ${format}, which alone can be read. Leave it out, or make it by “Create terrain”.`,
      { cause },
    );
  const reader = await openTerrain(source).catch((error: unknown) => {
    throw error instanceof ArchiveError || error instanceof SyntaxError ? wrong(error) : error;
  });
  const { layer } = reader;
  if (layer?.['format'] === format && (layer['scheme'] ?? 'tms') === 'tms') return reader;
  await reader.close();
  throw wrong();
}

async function placesOf(reader: TerrainReader, name: string): Promise<BlockPlace[]> {
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
        `${name} has more than ${maxTiles} tiles, the most that can be read. Make terrain with a lower mesh.maxZoom, or of less area.`,
      );
  }
  if (places.size === 0) throw new JobFailure('emptyInput', `${name} has no tile of terrain.`);
  return [...places.values()];
}

function boundsOf(layer: TerrainReader['layer']): Box | undefined {
  const bounds: unknown = layer?.['dataBounds'] ?? layer?.['bounds'];
  const isBox = Array.isArray(bounds) && bounds.length === 4 && bounds.every(Number.isFinite);
  return isBox ? (bounds as unknown as Box) : undefined;
}
