import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BytesError } from '@platen/formats/bytes/bytes';
import { openFile } from '@platen/formats/bytes/open-file';
import { readMesh } from '@platen/formats/quantized-mesh/read-mesh';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import { tileOfId } from '@platen/geo/pmtiles/tile-id';
import { gridOfMesh } from '@platen/geo/terrain/mesh-grid';
import type { TilePlace } from '@platen/geo/terrain/tile-grid';
import { terrainPath, terrainPlace } from '@platen/geo/tile/terrain-path';
import { JobFailure } from '../job-type.ts';

/** Terrain among the inputs. Plain data, as it is sent to threads. */
export interface TerrainSource {
  /** The name of the input. */
  readonly name: string;
  /** A PMTiles archive, or a folder of tiles. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly maxZoom: number;
}

/** Reads tiles of terrain; zooms and rows are those of the geographic grid. */
export interface TerrainReader {
  /** The heights at the vertices of a tile; undefined where there is none. @throws JobFailure where it is damaged */
  read(place: TilePlace): Promise<Float32Array | undefined>;
  /** All tiles, in any order. */
  places(): AsyncGenerator<TilePlace>;
  /** The description of the terrain, if it has one. */
  readonly layer: Readonly<Record<string, unknown>> | undefined;
  close(): Promise<void>;
}

const maxTileBytes = 32 << 20;
/** In the lower half of zooms, which terrain does not have. */
const maxStrangeTiles = 100_000;

/** @throws ArchiveError */
export async function openTerrain(source: Omit<TerrainSource, 'maxZoom'>): Promise<TerrainReader> {
  const { read: readTile, ...tiles } = await (source.isFolder
    ? openFolder(source.path)
    : openTiles(source.path));
  return {
    ...tiles,
    async read({ z, x, y }) {
      try {
        const tile = await readTile(z + 1, x, y);
        if (!tile) return undefined;
        const mesh = readMesh(unpack(tile));
        if (mesh.triangles.length === 0) throw new BytesError('it has no triangles');
        const grid = gridOfMesh(mesh);
        if (grid) return grid;
        throw new BytesError('its triangles lie over each other');
      } catch (error) {
        if (!(error instanceof BytesError || error instanceof ArchiveError)) throw error;
        throw new JobFailure(
          'brokenFile',
          `${source.name}: the tile at zoom ${z}, column ${x}, row ${y} from the north is damaged: ${error.message}. Make this terrain again.`,
          { cause: error },
        );
      }
    },
  };
}

function unpack(tile: Uint8Array): Uint8Array {
  if (tile[0] !== 0x1f || tile[1] !== 0x8b) return tile;
  try {
    return gunzipSync(tile, { maxOutputLength: maxTileBytes });
  } catch (error) {
    throw new BytesError('it cannot be unpacked', { cause: error });
  }
}

/** Tiles by their place in an archive: zoom 0 of terrain is the upper half of zoom 1. */
interface TileSource extends Omit<TerrainReader, 'read'> {
  readonly read: (z: number, x: number, y: number) => Promise<Uint8Array | undefined>;
}

async function openTiles(path: string): Promise<TileSource> {
  const file = await openFile(path);
  try {
    const archive = await openArchive((offset, length) => file.read(offset, length));
    const { layer } = await archive.metadata();
    return {
      layer: typeof layer === 'object' && layer !== null ? (layer as Record<string, unknown>) : undefined,
      async read(z, x, y) {
        const range = await archive.findTile(z, x, y);
        return range && file.read(range.offset, range.length);
      },
      async *places() {
        let strange = 0;
        for await (const { tileId, runLength } of archive.runs(0))
          for (let i = 0; i < runLength; i++) {
            const [z, x, y] = tileOfId(tileId + i);
            if (z > 0 && y < 2 ** (z - 1)) yield { z: z - 1, x, y };
            else if (++strange > maxStrangeTiles)
              throw new ArchiveError('it has tiles where terrain has none');
          }
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openFolder(path: string): Promise<TileSource> {
  const layer: unknown = JSON.parse(await readFile(join(path, 'layer.json'), 'utf8'));
  return {
    layer: typeof layer === 'object' && layer !== null ? (layer as Record<string, unknown>) : undefined,
    read: (z, x, y) =>
      readFile(join(path, terrainPath(z, x, y))).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      }),
    async *places() {
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const name = relative(path, join(entry.parentPath, entry.name)).split(sep).join('/');
        const place = terrainPlace(name);
        if (place) yield { z: place[0] - 1, x: place[1], y: place[2] };
      }
    },
    close: async () => {},
  };
}
