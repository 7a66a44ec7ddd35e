import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ObjectKey } from './objects.ts';
import { Bbox, FreeForm, Id, oneOf, strict } from './schema.ts';

/** The longest that an inspection is waited for. */
export const longestInspectSeconds = 25;

const Estimated = (what: string) => Type.Boolean({ description: `Whether ${what} comes from a sample` });

export const InspectedField = strict({
  name: Type.String(),
  type: Type.String({
    description: 'string, integer, number, boolean, date, json; mixed where values differ',
  }),
  examples: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), { maxItems: 3 }),
});
export type InspectedField = Static<typeof InspectedField>;

export const InspectedLayer = strict({
  name: Type.String({ description: 'As `layer` of an input names it; after the file where it has no name' }),
  geometryTypes: Type.Array(Type.String(), { description: 'Those of the sample' }),
  featureCount: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Of features, city objects, points, tiles or images' }),
  ),
  isEstimated: Estimated('the number of features'),
  crs: Type.Optional(
    strict({
      code: Type.Optional(Type.String()),
      name: Type.String(),
      isGuessed: Type.Boolean({ description: 'The file does not say it, or says what cannot be' }),
    }),
  ),
  bbox: Type.Optional(Bbox),
  isBboxEstimated: Estimated('the box'),
  verticalDatum: Type.Optional(
    Type.String({ description: 'What heights are measured from, if it is known' }),
  ),
  fields: Type.Array(InspectedField),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'What only data of its kind has: pixels, bands, levels of detail, zooms, densities, ranges of heights',
    }),
  ),
});
export type InspectedLayer = Static<typeof InspectedLayer>;

export const InspectionIssue = strict({
  code: Type.String(),
  message: Type.String(),
  count: Type.Integer({ minimum: 1, description: 'How often it was seen in what was read' }),
});
export type InspectionIssue = Static<typeof InspectionIssue>;

export const InspectionSuggestion = strict({
  jobType: Type.String(),
  preset: Type.String(),
  minZoom: Type.Integer(),
  maxZoom: Type.Integer(),
  expectedBytes: Type.Number({ description: 'Of the tileset; an estimate' }),
  expectedSeconds: Type.Number({ description: 'Of the job; an estimate' }),
  reason: Type.String(),
  options: FreeForm,
});
export type InspectionSuggestion = Static<typeof InspectionSuggestion>;

/** What could be done with the data, the best first. */
export const InspectionUse = strict({
  kind: oneOf(['datasource', 'job'], 'Show it as it is, or let a job make something of it first'),
  type: Type.String({ description: 'A datasource type, or a job type' }),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  reason: Type.String(),
});
export type InspectionUse = Static<typeof InspectionUse>;

/** What sort of data it is. */
export const inspectedKind = oneOf([
  'vector',
  'cityModel',
  'raster',
  'pointCloud',
  'mesh',
  'tileset',
  'terrain',
  'tiles',
  'sceneLayer',
]);

const found = {
  format: Type.Optional(Type.String({ description: 'Absent: it was not recognised, and `issues` say why' })),
  formatTitle: Type.Optional(Type.String()),
  formatVersion: Type.Optional(Type.String()),
  kind: Type.Optional(inspectedKind),
  layers: Type.Array(InspectedLayer),
  issues: Type.Array(InspectionIssue),
  suggestion: Type.Optional(InspectionSuggestion),
  uses: Type.Array(InspectionUse, { default: [] }),
  thumbnail: Type.Optional(
    Type.String({
      maxLength: 120_000,
      description: 'A PNG or WebP of at most 256 pixels a side, as a data: URL',
    }),
  ),
};

/** What the process that reads the file has found. */
export const InspectionReport = strict(found);
export type InspectionReport = Static<typeof InspectionReport>;

/** What the summary says, for clients that say it in another language. */
export const InspectionFacts = strict({
  formatVersion: Type.Optional(Type.String()),
  layers: Type.Integer(),
  count: Type.Optional(Type.Integer({ description: 'Of features, city objects, points, tiles or meshes' })),
  isEstimated: Type.Optional(Type.Boolean({ description: 'Whether the count comes from a sample' })),
  shape: Type.Optional(oneOf(['Point', 'LineString', 'Polygon'], 'Where all features are of one')),
  levelsOfDetail: Type.Optional(Type.Array(Type.String())),
  width: Type.Optional(Type.Number({ description: 'In pixels' })),
  height: Type.Optional(Type.Number({ description: 'In pixels' })),
  crs: Type.Optional(Type.String({ description: 'Its code, else its name' })),
  missing: Type.Optional(
    oneOf(
      ['format', 'files', 'crs', 'place'],
      'What somebody has to decide or add before it can be used: format: what it is was not recognised · files: some that belong to it are not there · crs: it has to be chosen, or a guess confirmed · place: it does not say where it lies',
    ),
  ),
});
export type InspectionFacts = Static<typeof InspectionFacts>;

/** What a file is, for lists and for its own page; absent where it was not inspected. */
export const InspectionSummary = strict({
  format: Type.Optional(Type.String()),
  formatTitle: Type.Optional(Type.String()),
  kind: Type.Optional(inspectedKind),
  facts: InspectionFacts,
  summary: Type.String({ description: 'In a line: `CityGML 2.0 · LoD 2 · 412,388 city objects`' }),
});
export type InspectionSummary = Static<typeof InspectionSummary>;

/** What a file or folder is, and what could be done with it. */
export const Inspection = Type.Object({
  key: Type.String(),
  size: Type.Integer({ description: 'In bytes' }),
  ...found,
});
export type Inspection = Static<typeof Inspection>;

/** The inspection goes on: ask again, or for the job. */
export const PendingInspection = Type.Object({
  key: Type.String(),
  jobId: Id,
  state: oneOf(['queued', 'running']),
});
export type PendingInspection = Static<typeof PendingInspection>;

export const inspectEndpoints = endpoints({
  postProjectDataBucketInspect: {
    method: 'POST',
    path: '/project/:projectId/data-bucket/:dataBucketId/inspect',
    tag: 'files',
    summary: 'Look into a file or a folder: what it is, and what to do with it',
    description:
      'A runner reads a sample of it. Equal content is looked at once, uploads by themselves. A file that cannot be read is answered with 200, too: `issues` tell why. 202: it takes longer; ask again, which starts nothing anew. The companions of a .shp beside it belong to it, as do world files of pictures and what lies beside a model. A key that ends in / means a folder.',
    access: { permission: 'getDataBucket', orCreator: true },
    query: strict({
      key: ObjectKey,
      waitSeconds: Type.Number({
        minimum: 0,
        maximum: longestInspectSeconds,
        default: longestInspectSeconds,
      }),
    }),
    reply: Inspection,
    alsoStatus: { status: 202, reply: PendingInspection },
    errors: ['conflict'],
  },
});
