import { compression, tileType } from '@platen/geo/pmtiles/header';
import { layerJsonOf } from '@platen/formats/quantized-mesh/write-layer-json';
import type { TileRange } from '@platen/formats/quantized-mesh/layer-json';
import type { JobContext, JobResult } from '../../job-type.ts';
import type { MadeTiles } from '../../kit/merge-tiles.ts';
import { writeTileArchive } from '../../kit/write-tile-archive.ts';
import { unionOf, type PlannedSheets } from '../plan-sheets.ts';
import type { Settings } from '../settings.ts';

export interface TerrainOutput {
  readonly settings: Settings;
  readonly planned: PlannedSheets;
  readonly tiles: MadeTiles;
  readonly maxZoom: number;
  readonly available: readonly (readonly TileRange[])[] | undefined;
}

/** Puts the archive together, and describes the datasource. */
export async function writeOutput(output: TerrainOutput, context: JobContext): Promise<JobResult> {
  const { settings, planned, tiles, maxZoom, available } = output;
  const bbox = boundsOf(planned);
  const name = settings.name ?? nameOf(context.inputs[0]!.name);
  const layer = layerJsonOf({
    name,
    attribution: settings.attribution,
    maxZoom,
    bounds: bbox,
    extensions: settings.normals ? ['octvertexnormals'] : [],
    available,
  });
  const center = [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2, maxZoom + 1] as const;
  const header = await writeTileArchive(
    tiles,
    {
      metadata: {
        name,
        ...(settings.attribution !== undefined && { attribution: settings.attribution }),
        layer,
      },
      minZoom: 1,
      maxZoom: maxZoom + 1,
      bounds: bbox,
      center,
      tileType: tileType.unknown,
      tileCompression: compression.gzip,
    },
    context,
  );
  return {
    datasource: {
      type: 'qmesh',
      path: 'tiles.pmtiles',
      bbox,
      typeProperties: { requestVertexNormals: settings.normals },
      properties: { tileCount: header.addressedTiles, heights: heightsOf(planned) },
    },
  };
}

function boundsOf({ sheets }: PlannedSheets): [number, number, number, number] {
  const [west, south, east, north] = sheets.map(({ box }) => box).reduce(unionOf);
  return east > 180 || west < -180 ? [-180, south, 180, north] : [west, south, east, north];
}

function nameOf(file: string): string {
  return file.replace(/\.[^.]+$/, '').slice(0, 200) || 'terrain';
}

/** What heights were taken for, so that it can be looked up later. */
function heightsOf({ heights }: PlannedSheets): Record<string, unknown>[] {
  return heights.map(({ vertical, geoid, accuracyMetres }) => ({
    from: vertical.code ?? vertical.name,
    name: vertical.name,
    ...(geoid !== undefined && { geoid }),
    ...(accuracyMetres !== undefined && { accuracyMetres }),
  }));
}
