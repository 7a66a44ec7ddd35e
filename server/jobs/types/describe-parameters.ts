import type { ParameterSchemas } from '@platen/contract/typed-schemas';
import { taskSpecs } from '@platen/processing/catalog';
import { Type, type TObject, type TSchema } from 'typebox';
import { inputSchemas, parametersSchema } from './parameters-schema.ts';

/** The schemas of the parameters of all job types, for the description of the API. */
export function describeParameters(): ParameterSchemas {
  const { internal, datasource, external } = inputSchemas;
  const types = taskSpecs().map((spec) => ({ name: spec.name, whole: parametersSchema(spec) }));
  const groups = nameGroups(types);
  const named = types.map(({ name, whole }) => {
    const schema = withGroups(whole, groups);
    return { name, schema, change: withoutRequired(schema) };
  });
  return {
    schemas: {
      FileInput: internal,
      DatasourceInput: datasource,
      ExternalInput: external,
      ...Object.fromEntries([...groups.values()].map(({ name, schema }) => [name, schema])),
      ...Object.fromEntries(
        named.flatMap(({ name, schema, change }) => [
          [`${name}Parameters`, schema],
          [`${name}ParametersChange`, change],
        ]),
      ),
    },
    byJobType: Object.fromEntries(named.map((type) => [`platen${type.name}`, type])),
  };
}

interface Group {
  readonly name: string;
  readonly schema: TSchema;
}

const optionsOf = (parameters: TObject) => (parameters.properties['options'] as TObject).properties;
const isGroup = (schema: TSchema) => (schema as { type?: unknown }).type === 'object';

/** Names the groups of options by their JSON, so that job types with the same group share it. */
function nameGroups(types: readonly { name: string; whole: TObject }[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { name: jobType, whole } of types) {
    for (const [key, schema] of Object.entries(optionsOf(whole)).filter(([, schema]) => isGroup(schema))) {
      const text = JSON.stringify(schema);
      const ownName = key[0]!.toUpperCase() + key.slice(1);
      const name = groups.has(text) ? ownName : jobType + ownName;
      groups.set(text, { name, schema: groups.get(text)?.schema ?? schema });
    }
  }
  return groups;
}

function withGroups(parameters: TObject, groups: ReadonlyMap<string, Group>): TObject {
  const options = Object.entries(optionsOf(parameters)).map(([key, schema]) => [
    key,
    groups.get(JSON.stringify(schema))?.schema ?? schema,
  ]);
  const schema = { ...parameters.properties['options'], properties: Object.fromEntries(options) as object };
  return Type.Unsafe({
    ...parameters,
    properties: { ...parameters.properties, options: schema },
  }) as unknown as TObject;
}

/** Parameters that are merged into others, so that none is required. */
function withoutRequired({ required: _required, ...parameters }: TObject): TSchema {
  const { required: _input, ...options } = parameters.properties['options'] as TObject;
  return Type.Unsafe({ ...parameters, properties: { ...parameters.properties, options } });
}
