import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { DatasourceType } from '@platen/contract/datasource-types';
import type { FreeForm } from '@platen/contract/schema';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { cubeFiles, squareTile, tileAt, type Point } from './testing-archives.ts';
import {
  cog,
  obliqueImages,
  panorama,
  png,
  pyramid,
  tileZoom,
  tmsFolder,
  within,
  type Bounds,
  type Content,
} from './testing-pictures.ts';
import { terrainFiles } from './testing-terrain.ts';
import { extent, flatGeobuf, polygon, squareAround } from './testing-vectors.ts';

export type MapName = 'flat' | 'globe' | 'oblique' | 'panorama';

/** One datasource, and the layer that shows it. */
export interface Sample {
  readonly name: string;
  readonly type: DatasourceType;
  /** The key in the datasource. */
  readonly key: string;
  /** Files by key. */
  readonly files: Readonly<Record<string, Content>>;
  readonly typeProperties?: FreeForm;
  readonly properties?: FreeForm;
  readonly urlSuffix?: string;
  readonly bbox?: Bounds;
  /** Instead of a layer that only names its type and the datasource; ids by the names of earlier samples. */
  readonly layer?: (datasourceId: string, ids: ReadonlyMap<string, string>) => object;
  /** Paths below its URL that maps showing it must request, beyond the first one. */
  readonly asks: Partial<Readonly<Record<MapName, RegExp>>>;
  /** Required position of the map; by default the centre. */
  readonly place?: keyof typeof places;
}

const centre: Point = { lon: 13.4, lat: 52.5 };
/** Tiles exist here too, so that the map has something to request after moving. */
const elsewhere: Point = { lon: 14.4, lat: 52.5 };
export const places = { centre, elsewhere, newYork: { lon: -74.0113, lat: 40.7125 } } as const;
const onBoth = (path: RegExp) => ({ flat: path, globe: path });
const fill = (color: string) => ({ type: 'VectorStyleItem', fill: { color } });

/** Every type of layer that shows a datasource. */
export async function makeSamples(): Promise<Sample[]> {
  return [...rasters(), ...(await vectors()), ...(await spaces()), ...sceneLayers()];
}

/** A cell around the centre. */
const cell = (column: number, row: number): Point => ({
  lon: centre.lon + column * 0.045,
  lat: centre.lat + row * 0.027,
});

function rasters(): Sample[] {
  return [
    {
      name: 'single image',
      type: 'generic',
      key: 'one.png',
      files: { 'one.png': png([255, 255, 0, 255]) },
      layer: (datasourceId) => ({
        type: 'SingleImageLayer',
        datasourceId,
        extent: extent(squareAround(cell(-1, 1))),
      }),
      asks: onBoth(/^one\.png$/),
    },
    {
      name: 'tms',
      type: 'tms',
      key: 'tms/',
      files: below('tms', tmsFolder(cell(0, 1))),
      typeProperties: { minLevel: 10, maxLevel: tileZoom },
      bbox: within(cell(0, 1)),
      asks: onBoth(/^\d+\/\d+\/\d+\.png$/),
    },
    {
      name: 'xyz',
      type: 'wmts',
      key: 'xyz/',
      files: below('xyz', pyramid(cell(1, 1), [0, 200, 200, 255])),
      typeProperties: { minLevel: 10, maxLevel: tileZoom },
      bbox: within(cell(1, 1)),
      asks: onBoth(/^\d+\/\d+\/\d+\.png$/),
    },
    {
      name: 'cog',
      type: 'cog',
      key: 'orthophoto.tif',
      files: { 'orthophoto.tif': cog(cell(1, 0)) },
      asks: onBoth(/^orthophoto\.tif$/),
    },
  ];
}

async function vectors(): Promise<Sample[]> {
  return [
    {
      name: 'geojson',
      type: 'geojson',
      key: 'place.geojson',
      files: { 'place.geojson': JSON.stringify(polygon(squareAround(cell(-1, 0)))) },
      typeProperties: {
        style: fill('rgba(0,120,255,1)'),
        vectorProperties: { altitudeMode: 'clampToGround' },
      },
      asks: onBoth(/^place\.geojson$/),
    },
    {
      name: 'flatgeobuf',
      type: 'flatgeobuf',
      key: 'whole.fgb',
      files: { 'whole.fgb': await flatGeobuf(squareAround(cell(0, -1)), 'Square') },
      typeProperties: { style: fill('rgba(160,0,255,1)') },
      asks: onBoth(/^whole\.fgb$/),
    },
    {
      name: 'flatgeobuf in tiles',
      type: 'flatgeobuf',
      key: 'streamed.fgb',
      files: { 'streamed.fgb': await flatGeobuf(squareAround(cell(1, -1)), 'Square') },
      layer: (datasourceId) => ({
        type: 'VectorTileLayer',
        datasourceId,
        style: fill('rgba(255,0,160,1)'),
        tileProvider: {
          type: 'FlatGeobufTileProvider',
          projection: { epsg: 4326 },
          levels: [{ level: 11 }],
        },
      }),
      asks: onBoth(/^streamed\.fgb$/),
    },
    {
      name: 'vector tiles',
      type: 'vectortiles',
      key: 'squares.pmtiles',
      files: { 'squares.pmtiles': vectorTiles('squares') },
      typeProperties: { style: fill('rgba(0,180,0,1)') },
      asks: onBoth(/^\d+\/\d+\/\d+\.pbf$/),
    },
    {
      name: 'mapbox style',
      type: 'vectortiles',
      key: 'styled.pmtiles',
      files: { 'styled.pmtiles': vectorTiles('squares') },
      properties: { style: mapboxStyle },
      urlSuffix: 'style.json',
      asks: onBoth(/^\d+\/\d+\/\d+\.pbf$/),
    },
  ];
}

/** Samples of 3D content. */
async function spaces(): Promise<Sample[]> {
  return [
    {
      name: 'tileset',
      type: 'tileset',
      key: 'tileset/tileset.json',
      files: below('tileset', cubeFiles(cell(-1, -1), [1, 0, 0, 1])),
      asks: { globe: /^content\/cube\.glb$/ },
    },
    {
      name: 'panorama',
      type: 'panorama',
      key: 'street/images.fgb',
      files: {
        'street/images.fgb': await flatGeobuf([[centre.lon, centre.lat]], 'first'),
        'street/first_rgb.tif': await panorama(centre),
      },
      asks: { globe: /^images\.fgb$/, panorama: /^first_rgb\.tif$/ },
    },
    {
      name: 'terrain',
      type: 'qmesh',
      key: 'terrain/',
      files: below('terrain', terrainFiles()),
      asks: { globe: /^0\/[01]\/0\.terrain/ },
    },
    {
      name: 'terrain mesh',
      type: 'meshinmesh',
      key: 'mesh/',
      files: below('mesh', terrainFiles()),
      asks: { globe: /^0\/[01]\/0\.terrain$/, oblique: /^0\/[01]\/0\.terrain$/ },
    },
    {
      name: 'oblique',
      type: 'oblique',
      key: 'oblique/image.json',
      files: below('oblique', await obliqueImages(centre)),
      layer: (datasourceId, ids) => ({
        type: 'ObliqueCollection',
        datasourceId,
        dataSets: [
          { projection: { epsg: 3857 }, terrainProvider: { datasourceId: ids.get('terrain mesh') } },
        ],
      }),
      asks: { oblique: /^north\/\d+\/\d+\/\d+\.jpg$/ },
    },
  ];
}

const slpk = fileURLToPath(new URL('../../shared/data/i3s/DA12_subset.slpk', import.meta.url));

/** Empty if the sample data is missing. */
function sceneLayers(): Sample[] {
  if (!existsSync(slpk)) return [];
  return [
    {
      name: 'i3s',
      type: 'i3s',
      key: 'buildings.slpk',
      files: { 'buildings.slpk': readFileSync(slpk) },
      asks: { globe: /^SceneServer\/layers\/0\/nodes\/\d+\/geometries/ },
      place: 'newYork',
    },
  ];
}

const below = (folder: string, files: readonly (readonly [string, Content])[]) =>
  Object.fromEntries(files.map(([name, content]) => [`${folder}/${name}`, content]));

/** Tiles with one square each, in the middle and elsewhere. */
export function vectorTiles(layer: string): Uint8Array {
  const zooms = [9, 10, 11, 12, tileZoom];
  const tiles = zooms.flatMap((z) =>
    [centre, elsewhere].map((point) => ({ tileId: tileIdOf(z, ...tileAt(point, z)) })),
  );
  const bytes = gzipSync(squareTile(layer));
  return buildArchiveInMemory(
    tiles.toSorted((a, b) => a.tileId - b.tileId).map(({ tileId }) => ({ tileId, bytes })),
    {
      tileType: tileType.mvt,
      tileCompression: compression.gzip,
      metadata: { name: 'Squares', vector_layers: [{ id: layer, fields: {} }] },
      minZoom: Math.min(...zooms),
      maxZoom: tileZoom,
      bounds: [centre.lon - 0.1, centre.lat - 0.1, elsewhere.lon + 0.1, centre.lat + 0.1],
      center: [centre.lon, centre.lat, tileZoom],
    },
    gzipSync,
  );
}

const mapboxStyle = {
  version: 8,
  sources: { squares: { type: 'vector', url: 'tiles.json' } },
  layers: [
    {
      id: 'squares',
      type: 'line',
      source: 'squares',
      'source-layer': 'squares',
      paint: { 'line-color': '#000', 'line-width': 4 },
    },
  ],
};
