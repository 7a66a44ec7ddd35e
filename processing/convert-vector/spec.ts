import { Type } from 'typebox';
import { ModelOptions } from '../features/model-options.ts';
import { Strict } from '../features/strict-option.ts';
import type { TaskSpec } from '../job-type.ts';

const output = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        enum: ['flatgeobuf', 'geojson', 'geojsonl'],
        title: 'Format',
        description:
          'flatgeobuf: with a spatial index, so that viewers read only what they show. geojson: one FeatureCollection, which viewers read as a whole. geojsonl: one feature per line, for other programs; viewers cannot read it.',
        default: 'flatgeobuf',
      }),
    ),
    layer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        title: 'Layer of the datasource',
        description: 'Each layer becomes a file. The datasource uses this layer; default: the first.',
        'x-editor': 'layer',
      }),
    ),
    allLayers: Type.Optional(
      Type.Boolean({
        title: 'A datasource for each layer',
        description:
          'Otherwise the other layers are only files. Names of datasources are the given name and, after the first, that of the layer.',
        default: false,
      }),
    ),
    decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 9,
        title: 'Decimals',
        description: 'Decimal places of GeoJSON coordinates in degrees; 7 is about one centimetre.',
        default: 7,
      }),
    ),
  },
  { title: 'Output' },
);

const suggestion = {
  confidence: 0.4,
  reason: 'One file that viewers read in parts and other programs as a whole',
};

export const convertVector = {
  name: 'ConvertVector',
  folder: 'convert-vector',
  version: 1,
  title: 'Convert vector data',
  description:
    'Converts vector data of any format to FlatGeobuf or GeoJSON in longitude and latitude, one file per layer.',
  permission: 'accessObjectJob',
  purpose: 'prepare',
  icon: 'Shapes',
  suggest: ({ vector }) => (vector?.sample ? suggestion : undefined),
  options: Type.Object({
    modelOptions: Type.Optional(ModelOptions),
    processing: Type.Optional(Type.Object({ strict: Type.Optional(Strict) }, { title: 'Processing' })),
    output: Type.Optional(output),
  }),
  datasourceType: 'flatgeobuf',
  datasourceTypes: ['flatgeobuf', 'geojson', 'generic'],
  furtherDatasourceTypes: ['flatgeobuf', 'geojson', 'generic'],
  // measured with OpenStreetMap data
  phases: { read: { unit: 'bytes', share: 0.8 }, write: { unit: 'layers', share: 0.2 } },
} as const satisfies TaskSpec;
