import type { JsonSchema } from '../../ui/json-editor/json-schema.ts';
import { newestNames, newestTypes } from './newest.ts';
import type { Field, FieldKind } from './field.ts';
import { fieldsOf, typesOf } from './item-fields.ts';
import { uiSettingNames } from './ui-settings.ts';
import { styleSchema } from './style-schema.ts';

// For completion only: unnamed keys are allowed too, and the service reports errors.

const projection: JsonSchema = {
  type: 'object',
  properties: { epsg: { type: 'number' }, proj4: { type: 'string' }, prefix: { type: 'string' } },
};
const byKind: Readonly<Record<FieldKind, JsonSchema>> = {
  text: { type: 'string' },
  longText: { type: 'string' },
  number: { type: 'number' },
  share: { type: 'number', minimum: 0, maximum: 1 },
  yesNo: { type: 'boolean' },
  choice: {},
  colour: { type: 'string' },
  address: { type: 'string' },
  datasource: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  numbers: { type: 'array', items: { type: 'number' } },
  name: { type: 'string' },
  names: { type: 'array', items: { type: 'string' } },
  extent: {
    type: 'object',
    properties: {
      type: { const: 'Extent' },
      coordinates: { type: 'array', items: { type: 'number' } },
      projection,
    },
  },
  projection,
  style: styleSchema,
  card: { type: 'string' },
  time: { type: 'object' },
  search: { type: 'string' },
  legend: { type: 'array' },
  json: {},
};

const callbacks: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      type: { enum: newestNames.callbacks },
      layerNames: { type: 'array' },
      mapName: { type: 'string' },
      viewpoint: { type: 'string' },
    },
  },
};
const providers: JsonSchema = {
  type: 'object',
  properties: { type: { enum: newestNames.featureProviders } },
};
const known: Readonly<Record<string, JsonSchema>> = {
  onClick: callbacks,
  onActivate: callbacks,
  onDeactivate: callbacks,
  featureProvider: providers,
  attributeProvider: providers,
  'tileProvider.type': { enum: newestTypes.tileProviders },
};

interface MutableProperties {
  [key: string]: JsonSchema;
}

/** The properties of an item; `names` gives the item names of each list of the module. */
function propertiesOf(fields: readonly Field[], names: ItemNames): MutableProperties {
  const properties: MutableProperties = {};
  for (const one of fields) put(properties, one.path, schemaOf(one, names));
  return properties;
}

function put(properties: MutableProperties, [key, ...rest]: readonly string[], schema: JsonSchema): void {
  if (rest.length === 0) {
    properties[key!] = { ...schema, ...properties[key!] };
    return;
  }
  const inner: MutableProperties = { ...properties[key!]?.properties };
  put(inner, rest, schema);
  properties[key!] = { ...properties[key!], type: 'object', properties: inner };
}

function schemaOf({ path, kind, choices, list, initial }: Field, names: ItemNames): JsonSchema {
  const schema = known[path.join('.')] ?? byKind[kind];
  const some = list === undefined ? undefined : { enum: names(list) };
  return {
    ...(kind === 'names' ? { type: 'array', items: some ?? {} } : { ...schema, ...some }),
    ...(choices && { enum: choices }),
    ...(initial !== undefined && { default: initial }),
  };
}

type ItemNames = (list: string) => readonly string[];

/** The schema of a list item, by its type. */
export function itemSchema(list: string, names: ItemNames): JsonSchema {
  const name: JsonSchema =
    list === 'uiConfig' ? { type: 'string', enum: uiSettingNames } : { type: 'string' };
  const types = typesOf(list);
  if (list === 'styles') return { ...styleSchema, properties: { ...styleSchema.properties, name } };
  if (types.length === 0)
    return { type: 'object', properties: { name, ...propertiesOf(fieldsOf(list, ''), names) } };
  return {
    type: 'object',
    required: ['type', 'name'],
    properties: { type: { enum: types }, name },
    anyOf: types.map((type) => ({
      properties: { type: { const: type }, ...propertiesOf(fieldsOf(list, type), names) },
    })),
  };
}

export const moduleItemLists = [
  'layers',
  'maps',
  'styles',
  'viewpoints',
  'contentTree',
  'featureInfo',
  'uiConfig',
  'plugins',
  'i18n',
  'obliqueCollections',
  'flights',
  'clippingPolygons',
  'vectorClusterGroups',
  'hiddenObjects',
  'categories',
] as const;

function storySchema(names: ItemNames): JsonSchema {
  const layers: JsonSchema = { type: 'array', items: { enum: names('layers') } };
  const picture = {
    datasourceId: { type: 'string' },
    url: { type: 'string' },
    alt: { type: 'string' },
  } as const;
  const viewpoint = { type: 'object', properties: propertiesOf(fieldsOf('viewpoints', ''), names) } as const;
  return {
    type: 'object',
    properties: {
      seconds: { type: 'number', minimum: 2, maximum: 600 },
      steps: {
        type: 'array',
        items: {
          type: 'object',
          required: ['title'],
          properties: {
            title: { type: 'string' },
            text: { type: 'string' },
            viewpoint,
            picture: { type: 'object', properties: picture },
            show: layers,
            hide: layers,
          },
        },
      },
    },
  };
}

/** The schema of a whole module. */
export function moduleSchema(names: ItemNames): JsonSchema {
  const lists = moduleItemLists.map((list) => [list, { type: 'array', items: itemSchema(list, names) }]);
  return {
    type: 'object',
    properties: {
      name: { type: 'string' },
      description: { type: 'string' },
      properties: { type: 'object' },
      startingMapName: { type: 'string', enum: names('maps') },
      startingViewpointName: { type: 'string', enum: names('viewpoints') },
      startingObliqueCollectionName: { type: 'string', enum: names('obliqueCollections') },
      projection,
      story: storySchema(names),
      ...(Object.fromEntries(lists) as Record<string, JsonSchema>),
    },
  };
}
