import { Type } from 'typebox';
import { Strict } from '../features/strict-option.ts';
import { threadOptions } from '../kit/thread-options.ts';

const Cluster = Type.Object(
  {
    distance: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 512,
        title: 'Distance',
        description: 'Points closer than this are merged, in pixels of a 512-pixel tile.',
        default: 40,
        'x-unit': 'px',
      }),
    ),
    minPoints: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 1_000_000,
        title: 'Minimum points',
        description: 'Smaller groups are not merged.',
        default: 2,
      }),
    ),
    maxZoom: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 24,
        title: 'Maximum zoom',
        description: 'The last zoom level with clusters; default: one below the maximum zoom.',
      }),
    ),
    aggregates: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Tuple([Type.String({ enum: ['sum', 'min', 'max', 'mean', 'count'] }), Type.String()]),
        {
          title: 'Aggregates',
          description:
            'Aggregated values of the points, by the name of the new attribute: {"population": ["sum", "pop"]}. Only numbers are used; "count" counts any value.',
        },
      ),
    ),
  },
  {
    title: 'Clusters',
    description: 'Nearby points are merged into one point with their number, `point_count`.',
    'x-level': 'advanced',
  },
);

/** How features are fitted into tiles. */
export const ProcessingOptions = Type.Object(
  {
    whenTooLarge: Type.Optional(
      Type.String({
        enum: ['dropDensest', 'coalesce', 'keep', 'truncate'],
        title: 'When a tile is too large',
        description:
          'Such tiles are always reported. dropDensest: features closest to others are dropped, evenly over the tile. coalesce: they are merged with their neighbours instead. truncate: the last features of the input are dropped. keep: the tile is kept unchanged.',
        default: 'dropDensest',
      }),
    ),
    tileLimitKilobytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        title: 'Tile limit',
        description: 'Tiles above this compressed size are too large.',
        default: 500,
        'x-unit': 'kB',
        'x-level': 'advanced',
      }),
    ),
    tileLimitFeatures: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000_000,
        title: 'Feature limit',
        description: 'Tiles with more features are too large.',
        default: 200_000,
        'x-level': 'advanced',
      }),
    ),
    simplification: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 64,
        title: 'Simplification',
        description:
          'Maximum deviation of simplified lines from the original below the maximum zoom, in tile units. 0 keeps every vertex.',
        default: 3,
        'x-unit': 'tile units',
        'x-level': 'advanced',
      }),
    ),
    cluster: Type.Optional(Cluster),
    dust: Type.Optional(
      Type.Boolean({
        title: 'Collect tiny features',
        description:
          'Areas and lines too small to be seen are dropped and drawn as one small square or line once enough of them have accumulated. Otherwise each is drawn as small as possible.',
        default: true,
        'x-level': 'advanced',
      }),
    ),
    repair: Type.Optional(
      Type.Boolean({
        title: 'Repair areas',
        description: 'Repairs rings that intersect themselves, originally or after simplification.',
        default: true,
        'x-level': 'advanced',
      }),
    ),
    antimeridian: Type.Optional(
      Type.String({
        enum: ['asGiven', 'shortest'],
        title: 'Edges across the antimeridian',
        description:
          'asGiven: an edge from 179° to -179° runs around the world, as in RFC 7946. shortest: it crosses the antimeridian.',
        default: 'asGiven',
        'x-level': 'advanced',
      }),
    ),
    strict: Type.Optional(Strict),
    ...threadOptions,
  },
  { title: 'Processing' },
);
