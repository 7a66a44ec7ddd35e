import { Type, type Static } from 'typebox';

/**
 * Options shared by all job types that read features. Kept light, as the server validates with it and the web draws
 * forms from it.
 * Keywords for forms: `x-level: advanced` hides an option at first, `x-unit` is shown behind its field, and `x-editor`
 * names a better field than the type's default. `field` and `fields` choose among the attributes of the input,
 * `expression` and `expressions` edit MapLibre expressions, `layer` chooses a layer of the input, `crs` and `encoding` a
 * known one, `bbox` draws on a map, `sources` and `target` name where data comes from and goes to, and `bucket`,
 * `datasource`, `app`, `scenario` and `credentials` choose one of the project.
 */

const expression = (title: string, description: string) =>
  Type.Unknown({ title, description, 'x-editor': 'expression' });
const zoom = { minimum: 0, maximum: 24 };
const name = { minLength: 1, maxLength: 200 };

const include = Type.Array(Type.String(), {
  title: 'Attributes to keep',
  description: 'Keep only these attributes; default: all. Computed attributes are always kept.',
  'x-editor': 'fields',
});
const exclude = Type.Array(Type.String(), {
  title: 'Attributes to drop',
  description: 'These attributes are dropped. Filters and expressions can still use them.',
  'x-editor': 'fields',
});
const idProperty = Type.String({
  minLength: 1,
  title: 'ID attribute',
  description:
    'Its value becomes the feature ID; the attribute is also kept. Default: the feature ID in the file.',
  'x-editor': 'field',
});
export const filter = expression(
  'Filter',
  'Use only features for which this MapLibre style expression is true: ["==", ["get", "class"], "road"]. ["zoom"] is not available.',
);
export const attributes = Type.Record(Type.String(), Type.Unknown(), {
  title: 'Computed attributes',
  description:
    'New attributes, or new values of existing ones, by name, each as a MapLibre style expression: {"label": ["concat", ["get", "ref"], " ", ["get", "name"]]}. Expressions use the attributes of the file.',
  'x-editor': 'expressions',
  'x-level': 'advanced',
});
export const types = Type.Record(
  Type.String(),
  Type.String({ enum: ['string', 'number', 'integer', 'boolean'] }),
  {
    title: 'Attribute types',
    description:
      'Converts the values of these attributes, by final name; values that cannot be converted are dropped and counted.',
    'x-level': 'advanced',
  },
);

const LayerOptions = Type.Object(
  {
    name: Type.String({ ...name, title: 'Name', description: 'Name of the layer in the tiles.' }),
    source: Type.Optional(
      Type.String({
        ...name,
        title: 'From',
        description:
          'Name of the layer or file that the features come from; * matches any characters, ? matches one. Default: all.',
      }),
    ),
    filter: Type.Optional(filter),
    geometryTypes: Type.Optional(
      Type.Array(Type.String({ enum: ['Point', 'LineString', 'Polygon'] }), {
        title: 'Geometry types',
        description: 'Use only these types, including multi-geometries; default: all.',
      }),
    ),
    include: Type.Optional(include),
    exclude: Type.Optional(exclude),
    rename: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        title: 'Renamed attributes',
        description: 'New names by the names in the file: {"NAME_1": "region"}.',
        'x-level': 'advanced',
      }),
    ),
    attributes: Type.Optional(attributes),
    types: Type.Optional(types),
    idProperty: Type.Optional(idProperty),
    minZoom: Type.Optional(
      Type.Integer({ ...zoom, title: 'Minimum zoom', description: 'The lowest zoom level with this layer.' }),
    ),
    maxZoom: Type.Optional(
      Type.Integer({
        ...zoom,
        title: 'Maximum zoom',
        description: 'The highest zoom level with this layer.',
      }),
    ),
    zoomBy: Type.Optional(
      expression(
        'First zoom by',
        'An expression that gives the minimum zoom of each feature, rounded up: ["-", 14, ["get", "rank"]]. Without a result, the minimum zoom of the layer is used.',
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
              description: 'The layer for the points.',
            }),
          }),
        ],
        {
          title: 'Label points',
          description:
            'Adds a point inside each polygon, far from its edges, with the same ID and attributes; by default in a layer with "_labels" appended to the name.',
          default: false,
        },
      ),
    ),
  },
  { title: 'Layer' },
);

/** Selects features and arranges them in layers with attributes. */
export const ModelOptions = Type.Object(
  {
    layerName: Type.Optional(
      Type.String({
        ...name,
        title: 'Layer name',
        description:
          'Name of the single layer in the tiles. Default: the layer name of each input, or its file name.',
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
          'Several layers, each with its own selection; a feature can be in more than one. The settings above apply to all of them. Default: one layer per input layer.',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Model' },
);
export type ModelOptions = Static<typeof ModelOptions>;
export type LayerOptions = Static<typeof LayerOptions>;

/** What a job adds to its options. */
export interface CompiledModelOptions extends ModelOptions {
  /**
   * The attribute whose text is the label of a feature, by its final name. Features that have it and are no single point get a
   * label point, unless `labelPoints` of their layer is set.
   */
  readonly labelAttribute?: string;
}
