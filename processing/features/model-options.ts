import { Type, type Static } from 'typebox';

/**
 * Shared by all job types that take features; light, as the server validates with it and the web draws forms from it.
 * Of the keywords for forms, `x-level: advanced` hides an option at first, `x-unit` is shown behind its field, and
 * `x-editor` names a better field than the type would get: `field` and `fields` choose among the attributes of the
 * input, `expression` and `expressions` edit MapLibre's, `layer` chooses among its layers, `crs` and `encoding` among those
 * that are known, `bbox` draws on a map, `sources` and `target` are where data comes from and goes to, and `bucket`,
 * `datasource`, `app`, `scenario` and `credentials` choose one of the project.
 */

const expression = (title: string, description: string) =>
  Type.Unknown({ title, description, 'x-editor': 'expression' });
const zoom = { minimum: 0, maximum: 24 };
const name = { minLength: 1, maxLength: 200 };

const include = Type.Array(Type.String(), {
  title: 'Attributes to keep',
  description:
    'Only these attributes are kept; all of them when absent. Computed attributes are always kept.',
  'x-editor': 'fields',
});
const exclude = Type.Array(Type.String(), {
  title: 'Attributes to leave out',
  description: 'These attributes are left out. Filters and expressions still see them.',
  'x-editor': 'fields',
});
const idProperty = Type.String({
  minLength: 1,
  title: 'Id attribute',
  description:
    'The attribute whose value becomes the feature id; the attribute is kept as well. The id that the file has for a feature is used when absent.',
  'x-editor': 'field',
});
const filter = expression(
  'Filter',
  'Only features for which this expression of MapLibre styles is true are used: ["==", ["get", "class"], "road"]. There is no ["zoom"].',
);
const attributes = Type.Record(Type.String(), Type.Unknown(), {
  title: 'Computed attributes',
  description:
    'New attributes, or new values of old ones, by name, each an expression of MapLibre styles: {"label": ["concat", ["get", "ref"], " ", ["get", "name"]]}. They see the attributes as they are in the file.',
  'x-editor': 'expressions',
  'x-level': 'advanced',
});
const types = Type.Record(Type.String(), Type.String({ enum: ['string', 'number', 'integer', 'boolean'] }), {
  title: 'Types of attributes',
  description:
    'Values of these attributes are turned into the type, by the name they have in the end; those that cannot be are left out and counted.',
  'x-level': 'advanced',
});

const LayerOptions = Type.Object(
  {
    name: Type.String({ ...name, title: 'Name', description: 'Name of the layer inside the tiles.' }),
    source: Type.Optional(
      Type.String({
        ...name,
        title: 'From',
        description:
          'Name of the layer or the file that the features come from; * stands for any characters, ? for one. All of them when absent.',
      }),
    ),
    filter: Type.Optional(filter),
    geometryTypes: Type.Optional(
      Type.Array(Type.String({ enum: ['Point', 'LineString', 'Polygon'] }), {
        title: 'Geometry types',
        description: 'Only these are used, multi-geometries included; all of them when absent.',
      }),
    ),
    include: Type.Optional(include),
    exclude: Type.Optional(exclude),
    rename: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        title: 'New names of attributes',
        description: 'By the names in the file: {"NAME_1": "region"}.',
        'x-level': 'advanced',
      }),
    ),
    attributes: Type.Optional(attributes),
    types: Type.Optional(types),
    idProperty: Type.Optional(idProperty),
    minZoom: Type.Optional(
      Type.Integer({ ...zoom, title: 'Lowest zoom', description: 'The lowest zoom that has the layer.' }),
    ),
    maxZoom: Type.Optional(
      Type.Integer({ ...zoom, title: 'Highest zoom', description: 'The highest zoom that has the layer.' }),
    ),
    zoomBy: Type.Optional(
      expression(
        'First zoom by',
        'An expression that gives the lowest zoom of each feature, rounded up: ["-", 14, ["get", "rank"]]. Where it gives nothing, the layer\'s lowest zoom is used.',
      ),
    ),
    labelPoints: Type.Optional(
      Type.Union(
        [
          Type.Boolean(),
          Type.Object({
            layer: Type.String({
              ...name,
              title: 'Layer',
              description: 'The layer that the points go into.',
            }),
          }),
        ],
        {
          title: 'Label points',
          description:
            'Adds a point inside each polygon, far from its edges, with the same id and attributes; by default in a layer with "_labels" behind the name.',
          default: false,
        },
      ),
    ),
  },
  { title: 'Layer' },
);

/** Which features there are, in which layers, and with which attributes. */
export const ModelOptions = Type.Object(
  {
    layerName: Type.Optional(
      Type.String({
        ...name,
        title: 'Layer name',
        description:
          "Name of the one layer inside the tiles. When absent, each input's layer, or else its file name, is used.",
      }),
    ),
    include: Type.Optional(include),
    exclude: Type.Optional(exclude),
    idProperty: Type.Optional(idProperty),
    filter: Type.Optional(filter),
    attributes: Type.Optional(attributes),
    types: Type.Optional(types),
    layers: Type.Optional(
      Type.Array(LayerOptions, {
        maxItems: 200,
        title: 'Layers',
        description:
          'Several layers, each made of what it chooses; a feature may go into more than one. What is said above holds for all of them. When absent, there is one layer per layer of the inputs.',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Model' },
);
export type ModelOptions = Static<typeof ModelOptions>;
export type LayerOptions = Static<typeof LayerOptions>;
