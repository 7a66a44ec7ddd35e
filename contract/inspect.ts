import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ObjectKey } from './objects.ts';
import { Bbox, FreeForm, Id, oneOf, strict } from './schema.ts';

/** Maximum time a request waits for an inspection, in seconds. */
export const maxInspectSeconds = 25;

const Estimated = (what: string) => Type.Boolean({ description: `Whether ${what} comes from a sample` });

export const InspectedField = strict({
  name: Type.String(),
  type: Type.String({
    description: 'string, integer, number, boolean, date, json; mixed if values have different types',
  }),
  examples: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), { maxItems: 3 }),
  range: Type.Optional({
    ...strict({ min: Type.Number(), max: Type.Number() }),
    description: 'Smallest and largest number, where the file states them',
  }),
});
export type InspectedField = Static<typeof InspectedField>;

export const InspectedLayer = strict({
  name: Type.String({
    description: 'Name to use as `layer` of an input; the file name if the layer has none',
  }),
  geometryTypes: Type.Array(Type.String(), { description: 'Geometry types in the sample' }),
  featureCount: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Number of features, city objects, points, tiles or images' }),
  ),
  isEstimated: Estimated('the number of features'),
  crs: Type.Optional(
    strict({
      code: Type.Optional(Type.String()),
      name: Type.String(),
      isGuessed: Type.Boolean({
        description: 'Guessed: the file does not state it, or states an impossible one',
      }),
      candidates: Type.Optional(
        Type.Array(strict({ code: Type.String(), name: Type.String() }), {
          maxItems: 4,
          description: 'Of a guessed one: those that the coordinates fit, the likeliest first',
        }),
      ),
    }),
  ),
  bbox: Type.Optional(Bbox),
  isBboxEstimated: Estimated('the box'),
  typicalBbox: Type.Optional({
    ...Bbox,
    description:
      'Where nearly all features are, if a few far ones make `bbox` much larger: where a map of them starts. WGS 84, as `bbox`',
  }),
  verticalDatum: Type.Optional(Type.String({ description: 'Vertical datum, if known' })),
  fields: Type.Array(InspectedField),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Details specific to this kind of data: pixels, bands, levels of detail, zoom levels, densities, height ranges',
    }),
  ),
});
export type InspectedLayer = Static<typeof InspectedLayer>;

export const InspectionIssue = strict({
  code: Type.String(),
  message: Type.String(),
  count: Type.Integer({ minimum: 1, description: 'Number of occurrences in the data that was read' }),
});
export type InspectionIssue = Static<typeof InspectionIssue>;

const expected = {
  minZoom: Type.Optional(Type.Integer({ description: 'Only of tiles, as `maxZoom`' })),
  maxZoom: Type.Optional(Type.Integer()),
  expectedBytes: Type.Optional(Type.Number({ description: 'Estimated size of the outputs' })),
  expectedSeconds: Type.Optional(Type.Number({ description: 'Estimated duration of the job' })),
  expectedScratchBytes: Type.Optional(
    Type.Number({ description: 'Disk space that the job asks for before it starts, for temporary files' }),
  ),
};

/** A job type that suits the data best, with the options to start with. */
export const InspectionSuggestion = strict({
  jobType: Type.String(),
  preset: Type.Optional(Type.String({ description: 'Only of vector tiles' })),
  ...expected,
  reason: Type.String(),
  options: FreeForm,
});
export type InspectionSuggestion = Static<typeof InspectionSuggestion>;

/** A possible use of the data; uses are sorted best first. */
export const InspectionUse = strict({
  kind: oneOf(['datasource', 'job'], 'Use the data directly, or convert it with a job first'),
  type: Type.String({ description: 'A datasource type, or a job type' }),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  reason: Type.String(),
  ...expected,
});
export type InspectionUse = Static<typeof InspectionUse>;

/** The kind of the inspected data. */
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
export type InspectedKind = Static<typeof inspectedKind>;

/** Pixels spread evenly over an image whose numbers are no colours, for previews of how they would look. */
export const SampledPixels = strict({
  width: Type.Integer({ minimum: 1, maximum: 256 }),
  height: Type.Integer({ minimum: 1, maximum: 256 }),
  bands: Type.Integer({ minimum: 1, maximum: 4 }),
  alphaBand: Type.Optional(Type.Integer({ minimum: 0 })),
  step: Type.Number({ description: 'Pixels of the image from one to the next' }),
  range: Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 2,
    description: 'The numbers that 1 and 65535 stand for; 0 is no data',
  }),
  data: Type.String({
    maxLength: 90_000,
    description: 'Base64 of deflated (zlib) numbers of 16 bits, little-endian, bands interleaved by pixel',
  }),
});
export type SampledPixels = Static<typeof SampledPixels>;

const found = {
  format: Type.Optional(
    Type.String({ description: 'Absent: the format was not recognised; `issues` give the reason' }),
  ),
  formatTitle: Type.Optional(Type.String()),
  formatVersion: Type.Optional(Type.String()),
  kind: Type.Optional(inspectedKind),
  layers: Type.Array(InspectedLayer),
  issues: Type.Array(InspectionIssue),
  uses: Type.Array(InspectionUse, { default: [] }),
  thumbnail: Type.Optional(
    Type.String({
      maxLength: 120_000,
      description: 'PNG or WebP of at most 256 pixels a side, as a data: URL',
    }),
  ),
  pixels: Type.Optional(SampledPixels),
  sheetPicture: Type.Optional({
    ...strict({
      url: Type.String({ maxLength: 120_000, description: 'As `thumbnail`' }),
      width: Type.Number({ description: 'Of the sheet, in pixels' }),
    }),
    description: 'Only of a folder of images: one of them, for previews of how they would look',
  }),
};

/** Vector data that jobs can read and place, with what a sample of it says. */
export const VectorFacts = strict({
  /** The guessed CRS that the input of a job has to name. */
  crs: Type.Optional(Type.String()),
  /** Absent: nothing was read. */
  sample: Type.Optional(
    strict({
      /** Uncompressed size of the layers. */
      bytes: Type.Number(),
      /** Whether the format is binary; otherwise it is text. */
      isBinary: Type.Boolean(),
      points: Type.Integer(),
      lines: Type.Integer(),
      areas: Type.Integer(),
      /** Typical length of an edge, or gap between neighbouring points, of the finest layer. */
      detailMetres: Type.Optional(Type.Number()),
    }),
  ),
});
export type VectorFacts = Static<typeof VectorFacts>;

/** Sheets of images or heights that have a place, with what a sample of them says. */
export const RasterFacts = strict({
  sheets: Type.Integer(),
  /** Of all sheets. */
  pixels: Type.Number(),
  /** Metres of web mercator that a pixel of the finest sheet is wide or high, whichever is less. */
  metres: Type.Number(),
  /** Degrees of latitude that it is wide or high. */
  degrees: Type.Number(),
  /** Square metres of web mercator that the sheets cover. */
  area: Type.Number(),
  /** Metres of web mercator around them. */
  outline: Type.Number(),
  /** Bits that a pixel takes as JPEG of the usual quality, and as PNG; absent: not known. */
  jpegBits: Type.Optional(Type.Number()),
  pngBits: Type.Optional(Type.Number()),
  /** Options of a job that make a border transparent that the file itself does not hide. */
  mask: Type.Optional(
    strict({ collar: Type.Optional(Type.String()), noData: Type.Optional(Type.Array(Type.Number())) }),
  ),
  /** Vertices of a terrain tile of its heights; absent: no heights, or not known. */
  meshVertices: Type.Optional(Type.Number()),
});
export type RasterFacts = Static<typeof RasterFacts>;

/** Point clouds, with what their headers say. */
export const PointFacts = strict({
  sheets: Type.Integer(),
  /** Of all sheets. */
  points: Type.Number(),
  /** Of the points, between 0 and 1: in LAZ, and in texts. */
  compressedShare: Type.Number(),
  textShare: Type.Number(),
  hasColours: Type.Boolean(),
  hasTimes: Type.Boolean(),
});
export type PointFacts = Static<typeof PointFacts>;

/** Heights of the ground, with all that was known when it was judged what they count from: other data may know better. */
export const GroundFacts = strict({
  fileName: Type.String(),
  /** Longitude and latitude of the middle. */
  place: Type.Tuple([Type.Number(), Type.Number()]),
  /** Metres of sea level above the ellipsoid there. */
  undulation: Type.Number(),
  crsCode: Type.Optional(Type.String()),
  /** What the file says that its heights count from. */
  vertical: Type.Optional(
    strict({
      kind: Type.Union([Type.Literal('ellipsoid'), Type.Literal('seaLevel')]),
      code: Type.Optional(Type.String()),
      name: Type.String(),
      metresPerUnit: Type.Number(),
      isDepth: Type.Boolean(),
    }),
  ),
  flat: Type.Optional(strict({ height: Type.Number(), share: Type.Number() })),
  /** Longitude, latitude, and height as given, of corners of a grid of 1/2^n degrees. */
  corners: Type.Array(Type.Number(), { maxItems: 768 }),
});
export type GroundFacts = Static<typeof GroundFacts>;

/** The report of the inspection process: facts, and how the data can be used unchanged. */
export const InspectionReport = strict({
  ...found,
  vector: Type.Optional(VectorFacts),
  raster: Type.Optional(RasterFacts),
  points: Type.Optional(PointFacts),
  ground: Type.Optional(GroundFacts),
});
export type InspectionReport = Static<typeof InspectionReport>;

/** The facts of a summary, for clients that phrase them in another language. */
export const InspectionFacts = strict({
  formatVersion: Type.Optional(Type.String()),
  layers: Type.Integer(),
  count: Type.Optional(
    Type.Integer({ description: 'Number of features, city objects, points, tiles or meshes' }),
  ),
  isEstimated: Type.Optional(Type.Boolean({ description: 'Whether the count comes from a sample' })),
  shape: Type.Optional(
    oneOf(['Point', 'LineString', 'Polygon'], 'Present if all features share one geometry type'),
  ),
  levelsOfDetail: Type.Optional(Type.Array(Type.String())),
  width: Type.Optional(Type.Number({ description: 'In pixels' })),
  height: Type.Optional(Type.Number({ description: 'In pixels' })),
  crs: Type.Optional(
    Type.String({ description: 'Code of the coordinate reference system, or its name if it has no code' }),
  ),
  sheets: Type.Optional(Type.Integer({ description: 'Number of sheets of a mosaic' })),
  problems: Type.Optional(
    Type.Integer({ description: 'Number of issues that are problems of the data; absent if there are none' }),
  ),
  isDamaged: Type.Optional(Type.Boolean({ description: 'Whether a part of the file is damaged or missing' })),
  missing: Type.Optional(
    oneOf(
      ['format', 'files', 'crs', 'place'],
      'What must be provided before the data can be used: format: not recognised · files: companion files are missing · crs: choose the coordinate reference system, or confirm the guess · place: not georeferenced',
    ),
  ),
});
export type InspectionFacts = Static<typeof InspectionFacts>;

/** A short description of a file for lists and its page; absent if it was not inspected. */
export const InspectionSummary = strict({
  format: Type.Optional(Type.String()),
  formatTitle: Type.Optional(Type.String()),
  kind: Type.Optional(inspectedKind),
  facts: InspectionFacts,
  summary: Type.String({
    description: 'One-line summary such as `CityGML 2.0 · LoD 2 · 412,388 city objects`',
  }),
});
export type InspectionSummary = Static<typeof InspectionSummary>;

/** The description of a file or folder, and its possible uses. */
export const Inspection = Type.Object({
  key: Type.String(),
  size: Type.Integer({ description: 'In bytes' }),
  companions: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Keys of the files beside it that belong to it, such as a world file: they are inputs of a job, too',
    }),
  ),
  ...found,
  suggestion: Type.Optional(InspectionSuggestion),
});
export type Inspection = Static<typeof Inspection>;

/** The inspection is still running: repeat the request or follow the job. */
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
    summary: 'Inspect a file or a folder: its format, content and possible next steps',
    description:
      'A runner reads a sample. Equal content is inspected only once; uploads are inspected automatically. Unreadable files also return 200, with the reason in `issues`. 202 means that the inspection is still running; repeat the request, which starts no second one. Companion files in the same folder are included: those of a .shp, world files of images, and the textures of a model. A key that ends in / is a folder.',
    access: { permission: 'getDataBucket', orCreator: true },
    query: strict({
      key: ObjectKey,
      waitSeconds: Type.Number({
        minimum: 0,
        maximum: maxInspectSeconds,
        default: maxInspectSeconds,
      }),
    }),
    reply: Inspection,
    alsoStatus: { status: 202, reply: PendingInspection },
    errors: ['conflict'],
  },
});
