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
      description: 'Overrides the one in the file, for example EPSG:25832.',
      'x-editor': 'crs',
    }),
  ),
  encoding: Type.Optional(
    Type.String({
      maxLength: 50,
      title: 'Encoding',
      description: 'Encoding of texts, if the file does not state it.',
      'x-editor': 'encoding',
    }),
  ),
};

/** Schemas of sources by their `type`. */
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
    { title: 'Web address', description: 'https; the runner fetches it when the job starts.' },
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
        'create: creates a new datasource. update: replaces the data and keeps the other properties. overwrite: replaces the properties, too.',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        title: 'Name',
        description:
          'Name of the datasource to create; or of the one to update or overwrite, if there is no datasourceId and no other has this name.',
      }),
    ),
    datasourceId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        title: 'Datasource',
        description: 'The datasource to update or overwrite; it keeps its ID.',
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
      description: 'Data bucket for the output; default: the default data bucket.',
      'x-editor': 'bucket',
    }),
  ),
  prefix: Type.Optional(
    Type.String({
      maxLength: 900,
      title: 'Folder',
      description:
        'Output folder. Default: .jobs/<task name>-<job ID>, or the top level for files from the web.',
    }),
  ),
  overwrite: Type.Optional(
    Type.Boolean({
      title: 'Replace files',
      description:
        'Whether existing files of the same keys are replaced; otherwise the job fails if there are any.',
      default: true,
    }),
  ),
};

const update = Type.Optional(
  Type.String({
    enum: ['auto', 'full'],
    title: 'Update',
    description:
      'auto: with the command update, the datasource keeps its data if it was made of the same inputs with the same options. full: everything is processed again.',
    default: 'auto',
  }),
);

/** JSON Schema of the `parameters` of a task of this type. */
export function parametersSchema(spec: TaskSpec, inputSchema: TSchema = input): TObject {
  const { properties = {} } = spec.options as { properties?: Record<string, TSchema> };
  if (spec.reads === 'nothing') return Type.Object({ options: Type.Object(optional(properties)) });
  const makesDatasources = datasourceTypesOf(spec).length > 0;
  return Type.Object({
    ...(makesDatasources && { datasource }),
    options: Type.Object({
      input: inputSchema,
      ...optional(properties),
      ...(makesDatasources && {
        processing: withFields(properties['processing'] ?? Type.Object({}, { title: 'Processing' }), {
          update,
        }),
      }),
      output: withFields(properties['output'] ?? Type.Object({}, { title: 'Output' }), outputFields),
    }),
  });
}

/** Adds fields that all job types have to an object of their options. */
function withFields(ofType: TSchema, fields: Record<string, TSchema>) {
  const { properties, ...group } = ofType as TObject;
  return Type.Optional(Type.Unsafe({ ...group, type: 'object', properties: { ...fields, ...properties } }));
}

const optional = (properties: Record<string, TSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]));
