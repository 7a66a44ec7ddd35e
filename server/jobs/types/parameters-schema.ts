import { datasourceTypesOf, type TaskSpec } from '@platen/processing/job-type';
import { Type, type TObject, type TSchema } from 'typebox';

const details = {
  layer: Type.Optional(
    Type.String({
      maxLength: 255,
      title: 'Layer',
      description: 'The layer of the file to read.',
      'x-editor': 'layer',
    }),
  ),
  crs: Type.Optional(
    Type.String({
      maxLength: 100,
      title: 'Coordinate reference system',
      description: 'Overrides what the file says of itself, such as EPSG:25832.',
      'x-editor': 'crs',
    }),
  ),
  encoding: Type.Optional(
    Type.String({
      maxLength: 50,
      title: 'Encoding',
      description: 'Of text, where the file does not say.',
      'x-editor': 'encoding',
    }),
  ),
};

/** Where a job reads from, by the `type` of the source. */
export const inputSchemas = {
  internal: Type.Object(
    {
      type: Type.Literal('internal'),
      dataBucketId: Type.String({ minLength: 1, maxLength: 64 }),
      dataBucketKey: Type.String({ minLength: 1, maxLength: 1025, description: 'A file or a folder.' }),
      ...details,
    },
    { title: 'File or folder of a data bucket' },
  ),
  datasource: Type.Object(
    {
      type: Type.Literal('datasource'),
      datasourceId: Type.String({ minLength: 1, maxLength: 64 }),
      ...details,
    },
    { title: 'Datasource' },
  ),
  external: Type.Object(
    { type: Type.Literal('external'), url: Type.String({ minLength: 1, maxLength: 2048 }), ...details },
    { title: 'Address on the web', description: 'https; fetched by the runner when the job starts.' },
  ),
} as const;

const source = Type.Union(Object.values(inputSchemas));
export const maxInputs = 1000;
const input = Type.Union([source, Type.Array(source, { minItems: 1, maxItems: maxInputs })], {
  title: 'Input',
  description: 'One source or a list of them.',
  'x-editor': 'sources',
});

const datasource = Type.Object(
  {
    command: Type.String({
      enum: ['create', 'update', 'overwrite'],
      title: 'Command',
      description:
        'create makes a new datasource; update gives one new data and keeps its other properties; overwrite replaces those too.',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        title: 'Name',
        description: 'Of the datasource to create.',
      }),
    ),
    datasourceId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        title: 'Datasource',
        description: 'The one to update or overwrite; it keeps its id.',
      }),
    ),
  },
  { title: 'Datasource', 'x-editor': 'target' },
);

const outputFields = {
  dataBucketId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      title: 'Data bucket',
      description: 'Where the output goes; the default data bucket when absent.',
      'x-editor': 'bucket',
    }),
  ),
  prefix: Type.Optional(
    Type.String({
      maxLength: 900,
      title: 'Folder',
      description:
        'The folder of the output. When absent, .jobs/<id of the job>; the data bucket itself for files from the web.',
    }),
  ),
  overwrite: Type.Optional(
    Type.Boolean({
      title: 'Replace files',
      description:
        'Whether files of the same keys are replaced; otherwise the job fails where there are any.',
      default: true,
    }),
  ),
};

/** JSON Schema of everything that a task of this type may have as `parameters`. */
export function parametersSchema(spec: TaskSpec, inputSchema: TSchema = input): TObject {
  const { properties = {} } = spec.options as { properties?: Record<string, TSchema> };
  if (spec.reads === 'nothing') return Type.Object({ options: Type.Object(optional(properties)) });
  const ofOutput = properties['output'] as TObject | undefined;
  const output = { ...ofOutput, type: 'object', properties: { ...outputFields, ...ofOutput?.properties } };
  return Type.Object({
    ...(datasourceTypesOf(spec).length > 0 && { datasource }),
    options: Type.Object({
      input: inputSchema,
      ...optional(properties),
      output: Type.Optional(Type.Unsafe(output)),
    }),
  });
}

const optional = (properties: Record<string, TSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]));
