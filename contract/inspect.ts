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
  featureCount: Type.Optional(Type.Integer({ minimum: 0 })),
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
  fields: Type.Array(InspectedField),
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

const found = {
  format: Type.Optional(Type.String({ description: 'Absent: it was not recognised, and `issues` say why' })),
  formatTitle: Type.Optional(Type.String()),
  layers: Type.Array(InspectedLayer),
  issues: Type.Array(InspectionIssue),
  suggestion: Type.Optional(InspectionSuggestion),
};

/** What the process that reads the file has found. */
export const InspectionReport = strict(found);
export type InspectionReport = Static<typeof InspectionReport>;

/** What a file is, and what could be done with it. */
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
    summary: 'Look into a file: what it is, and what to do with it',
    description:
      'A runner reads a sample of the file. Equal content is looked at once. A file that cannot be read is answered with 200, too: `issues` tell why. 202: it takes longer; ask again, which starts nothing anew. The companions of a .shp beside it belong to it.',
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
