import { Type, type Static } from 'typebox';
import { HeightOptions } from '../heights/height-options.ts';
import type { TaskSpec } from '../job-type.ts';
import { attribution } from '../kit/output-options.ts';
import { sheetProcessing } from '../raster-source/sheet-options.ts';
import { suggest } from './suggest.ts';
import { tilesTerrainType } from './type.ts';

const heights = Type.Object(
  {
    ...HeightOptions.properties,
    exaggeration: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 100,
        title: 'Exaggeration',
        description: 'Factor for all heights as given; 1 is true to nature.',
        default: 1,
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Heights' },
);

const mesh = Type.Object(
  {
    quality: Type.Optional(
      Type.String({
        enum: ['low', 'standard', 'high'],
        title: 'Quality',
        description:
          'How close the triangles follow the heights: low: within the error that viewers expect of a zoom level, standard: a quarter, high: a sixteenth of it. Better quality means larger tiles.',
        default: 'standard',
      }),
    ),
    normals: Type.Optional(
      Type.Boolean({
        title: 'Normals',
        description: 'Directions of the surface, for light and shadow.',
        default: true,
      }),
    ),
    waterMask: Type.Optional(
      Type.Boolean({
        title: 'Water',
        description:
          'Polygons among the inputs (GeoJSON, GeoPackage, Shapefile …) are water: viewers draw it with waves, and lakes are level. False: they are not used.',
        default: true,
      }),
    ),
    maxZoom: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 22,
        title: 'Maximum zoom',
        description:
          'The highest zoom level with its own tiles. Default: the lowest whose cells are at most 1.2 times as large as those of the finest sheet.',
      }),
    ),
  },
  { title: 'Mesh' },
);

const output = Type.Object(
  {
    kind: Type.Optional(
      Type.String({
        enum: ['quantizedMesh', 'rasterDem', 'hillshade', 'contours'],
        title: 'Kind',
        description:
          'quantizedMesh: terrain for globes. rasterDem: heights as images, for MapLibre and other maps. hillshade: a shaded relief as image tiles. contours: lines of equal height, as vector tiles or one file.',
        default: 'quantizedMesh',
      }),
    ),
    format: Type.Optional(
      Type.String({
        enum: ['pmtiles', 'folder', 'flatgeobuf', 'geojson'],
        title: 'Format',
        description:
          'pmtiles: one archive, served tile by tile. folder: one file per tile, for other servers; at most 200,000. Of contours also flatgeobuf: all lines in one file with a spatial index, or geojson, which viewers read as a whole.',
        default: 'pmtiles',
      }),
    ),
    encoding: Type.Optional(
      Type.String({
        enum: ['terrarium', 'mapbox'],
        title: 'Encoding of raster DEM',
        description: 'How heights become colours: terrarium in steps of 1/256 m, mapbox in steps of 0.1 m.',
        default: 'terrarium',
        'x-level': 'advanced',
      }),
    ),
    interval: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 1000,
        title: 'Contour interval',
        description:
          'Metres of height from one contour line to the next; every fifth is an index contour. Lower zoom levels show every fifth line, or fewer.',
        default: 10,
        'x-unit': 'm',
      }),
    ),
    name: Type.Optional(
      Type.String({
        title: 'Name',
        description: 'Name of the terrain in its metadata.',
        'x-level': 'advanced',
      }),
    ),
    attribution,
  },
  { title: 'Output' },
);

export const tilesTerrain = {
  ...tilesTerrainType,
  folder: 'tiles-terrain',
  title: 'Create terrain',
  description:
    'Turns height models into terrain for globes, or into heights, shaded relief and contour lines for flat maps, at the right height above the ellipsoid.',
  permission: 'accessTerrainJob',
  purpose: 'prepare',
  icon: 'Mountain',
  suggest,
  mapsOf: ['terrain'],
  options: Type.Object({
    heights: Type.Optional(heights),
    outside: Type.Optional(
      Type.String({
        enum: ['seaLevel', 'ellipsoid'],
        title: 'Outside of the data',
        description:
          'The height around the data: that of the sea, or that of the ellipsoid. Terrain among the inputs counts first.',
        default: 'seaLevel',
      }),
    ),
    blend: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        title: 'Ramp at the edge',
        description: 'Cells over which the edge of the data goes over into the outside.',
        default: 16,
        'x-unit': 'cells',
        'x-level': 'advanced',
      }),
    ),
    fillHoles: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000,
        title: 'Fill holes',
        description:
          'Holes in the data up to this width are filled from what is around them. 0: none is, they are at the height of the outside. With terrain among the inputs, 0 is the default.',
        default: 1024,
        'x-unit': 'cells',
      }),
    ),
    mesh: Type.Optional(mesh),
    processing: Type.Optional(sheetProcessing),
    output: Type.Optional(output),
  }),
  datasourceTypes: ['qmesh', 'generic', 'tms', 'vectortiles', 'flatgeobuf', 'geojson'],
  // measured with SRTM data on two cores
  phases: {
    read: { unit: 'units', share: 0.35 },
    combine: { unit: 'units', share: 0.02 },
    make: { unit: 'tiles', share: 0.55 },
    write: { unit: 'tiles', share: 0.06 },
    copy: { unit: 'tiles', share: 0.02 },
  },
  resumes: true,
} as const satisfies TaskSpec;

export type TilesTerrainOptions = Static<typeof tilesTerrain.options>;
