import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import type { TileFolderLayout } from '@platen/formats/tiles/write-tile-folder';
import { JobFailure, type JobContext, type JobResult } from '../job-type.ts';
import { copyToFolder, copyTileArchive } from '../kit/copy-tile-archive.ts';
import { maxFolderFiles } from '../kit/folder-sink.ts';
import type { MadeTiles } from '../kit/merge-tiles.ts';
import { archiveName, writeTileArchive } from '../kit/write-tile-archive.ts';
import { thumbnailPathOf } from '../tile-style/thumbnail-path.ts';
import type { FoundColours } from '../raster-source/find-colours.ts';
import { drawThumbnail } from './draw-thumbnail.ts';
import type { ImageryPlan } from './plan-imagery.ts';
import type { Settings } from './settings.ts';

export interface ImageryOutput {
  readonly settings: Settings;
  readonly plan: ImageryPlan;
  readonly tiles: MadeTiles;
  readonly sheetCount: number;
  readonly legend: FoundColours['legend'];
}

/** What layers of a TMS ask for, whatever its images are: browsers tell by the first bytes. */
const ending = 'png';

/** Puts the archive together, and describes the datasource. */
export async function writeOutput(output: ImageryOutput, context: JobContext): Promise<JobResult> {
  const { settings, plan, tiles, sheetCount, legend } = output;
  const { maxZoom } = plan;
  const bbox = withinMaps(plan.bbox);
  const { minZoom, format, container, attribution } = settings;
  const count = tiles.leaves.reduce(
    (sum, unit) => sum + unit.reduce((all, zoom) => all + (zoom?.tiles ?? 0), 0),
    0,
  );
  if (container === 'folder' && count > maxFolderFiles)
    throw new JobFailure(
      'tooLarge',
      `A folder would have ${count} tiles, but at most ${maxFolderFiles} are allowed. Use output.format pmtiles, or a lower tiling.maxZoom.`,
    );
  const name = settings.name ?? nameOf(context.inputs[0]!.name);
  const metadata = {
    name,
    type: 'overlay',
    format: format === 'auto' ? 'mixed' : format,
    ...(attribution !== undefined && { attribution }),
  };
  const info = {
    metadata,
    minZoom,
    maxZoom,
    bounds: bbox,
    center: [...middleOf(plan.bbox), maxZoom] as const,
    tileType: format === 'auto' ? tileType.jpeg : tileType[format],
    tileCompression: compression.none,
  };
  const header = await writeTileArchive(tiles, info, context);
  const archive = join(context.outputFolder, archiveName);
  const thumbnail = await drawThumbnail(archive, plan, minZoom);
  const path =
    container === 'folder'
      ? await copyToFolder(info, context, folderLayout(info))
      : await copyTileArchive(container, info, context);
  if (container === 'folder') rmSync(archive); // the folder contains all of it
  const whole = join(context.outputFolder, path);
  await writeFile(thumbnailPathOf(whole, container === 'folder' ? 'folder' : 'file'), thumbnail);
  const extent = { type: 'Extent', coordinates: bbox, projection: { type: 'Projection', epsg: 4326 } };
  return {
    datasource: {
      type: 'tms',
      path,
      bbox,
      typeProperties: { minLevel: minZoom, maxLevel: maxZoom, tilingSchema: 'mercator', extent },
      properties: {
        minZoom,
        maxZoom,
        tileCount: header.addressedTiles,
        sheetCount,
        format,
        thumbnail: 'thumbnail.png',
        ...(legend && { legend }),
        ...(attribution !== undefined && { attribution }),
      },
    },
  };
}

/** Clients know no box beyond 180°: what crosses it is in one as wide as the world. */
function withinMaps([west, south, east, north]: ImageryPlan['bbox']): ImageryPlan['bbox'] {
  return east > 180 ? [-180, south, 180, north] : [west, south, east, north];
}

function middleOf([west, south, east, north]: ImageryPlan['bbox']): [lon: number, lat: number] {
  const lon = (west + east) / 2;
  return [lon > 180 ? lon - 360 : lon, (south + north) / 2];
}

function folderLayout({
  metadata,
  minZoom: minzoom,
  maxZoom: maxzoom,
  bounds,
}: {
  readonly metadata: object;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: readonly number[];
}): TileFolderLayout {
  const tiles = [`{z}/{x}/{y}.${ending}`];
  const tileJson = { tilejson: '3.0.0', ...metadata, minzoom, maxzoom, bounds, scheme: 'tms', tiles };
  return {
    // rows of a TMS count from the south
    pathOf: (z, x, y) => `${z}/${x}/${2 ** z - 1 - y}.${ending}`,
    describe: () => ['tiles.json', JSON.stringify(tileJson)],
  };
}

function nameOf(file: string): string {
  return file.replace(/\.[^.]+$/, '').slice(0, 200) || 'imagery';
}
