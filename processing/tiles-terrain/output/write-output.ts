import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import type { ArchiveInfo } from '@platen/geo/pmtiles/writer';
import { layerJsonOf } from '@platen/formats/quantized-mesh/write-layer-json';
import { relativeAddresses, terrainPath } from '@platen/geo/tile/terrain-path';
import type { TileFolderLayout } from '@platen/formats/tiles/write-tile-folder';
import type { TileRange } from '@platen/formats/quantized-mesh/layer-json';
import type { Layers } from '../../features/layers.ts';
import { JobFailure, type JobContext, type JobResult, type MadeDatasource } from '../../job-type.ts';
import { copyToFolder } from '../../kit/copy-tile-archive.ts';
import type { MadeTiles } from '../../kit/merge-tiles.ts';
import { archiveName, writeTileArchive } from '../../kit/write-tile-archive.ts';
import { metadataOf } from '../../tile-style/archive-metadata.ts';
import { layersProperties, tilesetProperties } from '../../tile-style/tileset-properties.ts';
import { maplibreStyle } from '../../tile-style/maplibre-style.ts';
import { thumbnailPathOf } from '../../tile-style/thumbnail-path.ts';
import type { Pyramid } from '../pyramid/build-pyramid.ts';
import type { PyramidShape } from '../../raster-source/zoom-layers.ts';
import { unionOf, type PlannedSheets } from '../plan-sheets.ts';
import { makesLineFile, type LineFormat, type Settings } from '../settings.ts';
import { contourMaplibreStyle, contourVcMapStyle } from './contour-layer.ts';
import { drawThumbnail, rangeOf, readOverview } from './draw-thumbnail.ts';
import { undulationsOf } from './undulations.ts';
import { writeLines } from './write-lines.ts';

type DegreeBox = [west: number, south: number, east: number, north: number];

export interface TerrainOutput {
  readonly settings: Settings;
  readonly shape: PyramidShape;
  readonly pyramid: Pyramid;
  readonly planned: PlannedSheets;
  /** West, south, east, north in degrees: of the sheets, and with the terrain beneath. */
  readonly sheetBox: DegreeBox;
  readonly bbox: DegreeBox;
  readonly tiles: MadeTiles;
  /** Statistics of contour lines. */
  readonly lines: Layers;
  readonly maxZoom: number;
  readonly hasWater: boolean;
  readonly available: readonly (readonly TileRange[])[] | undefined;
}

/** How an output is stored and described. */
interface Form {
  readonly info: ArchiveInfo;
  /** Undefined: that of vector tiles. */
  readonly layout: TileFolderLayout | undefined;
  readonly datasource: Pick<MadeDatasource, 'type' | 'typeProperties'>;
  readonly properties: Record<string, unknown>;
}

/** Puts the output together, and describes the datasource. */
export async function writeOutput(output: TerrainOutput, context: JobContext): Promise<JobResult> {
  const { settings, planned, sheetBox, bbox, shape, pyramid } = output;
  const name = settings.name ?? nameOf(context.inputs[0]!.name);
  const common = { name, ...(settings.attribution !== undefined && { attribution: settings.attribution }) };
  const { path, ...made } = await (makesLineFile(settings)
    ? writeLineFile(output, common, context)
    : writeTiles(output, common, context));
  const overview = readOverview({ shape, pyramid, bbox: sheetBox, fillHoles: settings.fillHoles });
  const kind = settings.format === 'folder' ? 'folder' : 'file';
  await writeFile(thumbnailPathOf(join(context.outputFolder, path), kind), await drawThumbnail(overview));
  const properties = {
    ...made.properties,
    ...(settings.kind === 'quantizedMesh' && { heightRange: rangeOf(overview) }),
    thumbnail: 'thumbnail.png',
    heights: heightsOf(planned),
  };
  return { datasource: { ...made, path, bbox, properties } };
}

type Written = Pick<MadeDatasource, 'type' | 'typeProperties' | 'path'> & {
  readonly properties: Record<string, unknown>;
};

/** An archive, or a folder. */
async function writeTiles(output: TerrainOutput, common: Common, context: JobContext): Promise<Written> {
  const { settings, planned, bbox, tiles, lines } = output;
  if (settings.kind === 'contours' && lines.size === 0) throw noLine(settings);
  const form = formOf(output, common, bbox);
  const header = await writeTileArchive(tiles, form.info, context);
  let path: string = archiveName;
  if (settings.format === 'folder') {
    path = await copyToFolder(form.info, context, form.layout);
    rmSync(join(context.outputFolder, archiveName)); // the folder contains all of it
  }
  const isMesh = settings.kind === 'quantizedMesh';
  const properties = {
    ...form.properties,
    ...(isMesh && { undulations: await undulationsOf(bbox, planned.heights, settings.offset) }),
    ...(settings.kind === 'contours' && contourProperties(output, { ...common, bbox })),
    tileCount: header.addressedTiles,
  };
  return { ...form.datasource, path, properties };
}

/** One file of contour lines. */
async function writeLineFile(
  { settings, shape, tiles, maxZoom }: TerrainOutput,
  { attribution }: Common,
  context: JobContext,
): Promise<Written> {
  const { interval } = settings;
  const format = settings.format as LineFormat;
  const { path, lines } = await writeLines(tiles, { shape, format, interval, zoom: maxZoom }, context);
  if (path === undefined) throw noLine(settings);
  const described = layersProperties([...lines.values()]);
  const properties = {
    ...described,
    ...(attribution !== undefined && { attribution }),
    vcMapStyle: contourVcMapStyle,
  };
  return { type: format, typeProperties: {}, path, properties };
}

function noLine({ interval }: Settings): JobFailure {
  return new JobFailure(
    'nothingUsable',
    `There is no contour line: all heights lie between two of them. Use an output.interval of less than ${interval} m.`,
  );
}

type Common = { readonly name: string; readonly attribution?: string };

function formOf(output: TerrainOutput, common: Common, bounds: DegreeBox): Form {
  if (output.settings.kind === 'quantizedMesh') return meshForm(output, common, bounds);
  if (output.settings.kind === 'contours') return contourForm(output, common, bounds);
  return imageForm(output, common, bounds);
}

/** Vector tiles. */
function contourForm({ settings, maxZoom, lines }: TerrainOutput, common: Common, bounds: DegreeBox): Form {
  const info = zoomsOf(0, maxZoom, bounds);
  return {
    info: {
      metadata: metadataOf(lines, { ...info, name: common.name }, settings),
      ...info,
      tileType: tileType.mvt,
      tileCompression: compression.gzip,
    },
    layout: undefined,
    datasource: { type: 'vectortiles', typeProperties: { minZoom: 0, maxZoom } },
    properties: {},
  };
}

/** What vector tiles have in `properties`, with a style by height. */
function contourProperties(
  { lines, maxZoom }: TerrainOutput,
  { bbox, ...common }: Common & { readonly bbox: DegreeBox },
): Record<string, unknown> {
  const tileset = { ...common, minZoom: 0, maxZoom, bounds: bbox, layers: [...lines.values()] };
  const style = contourMaplibreStyle(maplibreStyle(tileset, 'tiles.json'));
  return { ...tilesetProperties(tileset), style, vcMapStyle: contourVcMapStyle };
}

function meshForm(
  { settings, maxZoom, available, hasWater }: TerrainOutput,
  common: Common,
  bounds: DegreeBox,
): Form {
  const extensions = [...(settings.normals ? ['octvertexnormals'] : []), ...(hasWater ? ['watermask'] : [])];
  const layer = layerJsonOf({ ...common, maxZoom, bounds, extensions, available });
  return {
    info: {
      metadata: { ...common, layer },
      ...zoomsOf(1, maxZoom + 1, bounds),
      tileType: tileType.unknown,
      tileCompression: compression.gzip,
    },
    layout: {
      pathOf: terrainPath,
      unpack: gunzipSync, // static servers do not say what they send packed
      describe: () => ['layer.json', JSON.stringify({ ...layer, ...relativeAddresses })],
    },
    datasource: {
      type: 'qmesh',
      typeProperties: { requestVertexNormals: settings.normals, ...(hasWater && { requestWaterMask: true }) },
    },
    properties: {},
  };
}

function imageForm({ settings, maxZoom }: TerrainOutput, common: Common, bounds: DegreeBox): Form {
  const isDem = settings.kind === 'rasterDem';
  const encoding = isDem ? { encoding: settings.encoding } : {};
  const metadata = { ...common, ...encoding };
  const projection = { type: 'Projection', epsg: 4326 };
  const extent = { type: 'Extent', coordinates: bounds, projection };
  const zooms = { minzoom: 0, maxzoom: maxZoom, bounds };
  const ending = isDem ? 'webp' : 'png'; // what layers of a TMS ask for, whatever its images are
  const tileJson = {
    tilejson: '3.0.0',
    ...metadata,
    ...zooms,
    scheme: isDem ? 'xyz' : 'tms',
    tiles: [`{z}/{x}/{y}.${ending}`],
  };
  return {
    info: {
      metadata,
      ...zoomsOf(0, maxZoom, bounds),
      tileType: tileType.webp,
      tileCompression: compression.none,
    },
    layout: {
      // rows of a TMS count from the south
      pathOf: (z, x, y) => `${z}/${x}/${isDem ? y : 2 ** z - 1 - y}.${ending}`,
      describe: () => ['tiles.json', JSON.stringify(tileJson)],
    },
    datasource: isDem
      ? { type: 'generic', typeProperties: {} }
      : { type: 'tms', typeProperties: { minLevel: 0, maxLevel: maxZoom, tilingSchema: 'mercator', extent } },
    properties: { minZoom: 0, maxZoom, ...encoding },
  };
}

function zoomsOf(minZoom: number, maxZoom: number, bounds: DegreeBox) {
  const center = [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, maxZoom] as const;
  return { minZoom, maxZoom, bounds, center };
}

/** Of all sheets together: around the Earth if they cross the antimeridian. */
export function boundsOf({ sheets }: PlannedSheets): DegreeBox {
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
