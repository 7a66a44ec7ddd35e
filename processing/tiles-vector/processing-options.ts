import { Type } from 'typebox';
import { Strict } from '../features/strict-option.ts';

const Cluster = Type.Object(
  {
    distance: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 512,
        title: 'Distance',
        description: 'Points that are closer to each other become one, in pixels of a tile that is 512 wide.',
        default: 40,
        'x-unit': 'px',
      }),
    ),
    minPoints: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 1_000_000,
        title: 'Points at least',
        description: 'Fewer points remain what they are.',
        default: 2,
      }),
    ),
    maxZoom: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 24,
        title: 'Highest zoom',
        description: 'The last zoom that has clusters; one below the highest zoom when absent.',
      }),
    ),
    aggregates: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Tuple([Type.String({ enum: ['sum', 'min', 'max', 'mean', 'count'] }), Type.String()]),
        {
          title: 'Aggregates',
          description:
            'What clusters tell of their points, by the name of the new attribute: {"population": ["sum", "pop"]}. Only numbers count, but for "count": any value.',
        },
      ),
    ),
  },
  {
    title: 'Clusters',
    description: 'Points that are close to each other become one point with their count, `point_count`.',
    'x-level': 'advanced',
  },
);

/** How features are made to fit into tiles. */
export const ProcessingOptions = Type.Object(
  {
    whenTooLarge: Type.Optional(
      Type.String({
        enum: ['dropDensest', 'coalesce', 'keep', 'truncate'],
        title: 'When a tile is too large',
        description:
          'In each case such tiles are reported. dropDensest: features that are closest to others are left out, evenly over the tile. coalesce: they are joined with their neighbours instead. truncate: those last in the input are left out. keep: the tile stays as it is.',
        default: 'dropDensest',
      }),
    ),
    tileLimitKilobytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        title: 'Tile limit',
        description: 'Tiles are too large above this size; compressed, as they are sent.',
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
        description: 'Tiles are too large above this number of features.',
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
          'How far, in tile units, a simplified line may leave the original below the highest zoom. 0 keeps every vertex.',
        default: 3,
        'x-unit': 'tile units',
        'x-level': 'advanced',
      }),
    ),
    cluster: Type.Optional(Cluster),
    dust: Type.Optional(
      Type.Boolean({
        title: 'Gather dust',
        description:
          'Areas and lines too small to be seen are left out, and drawn as one small square or line whenever enough of them has gathered. Without it each is drawn as small as can be, below the highest zoom too.',
        default: true,
        'x-level': 'advanced',
      }),
    ),
    repair: Type.Optional(
      Type.Boolean({
        title: 'Repair areas',
        description: 'Rings that cross themselves, from the start or by being simplified, are made valid.',
        default: true,
        'x-level': 'advanced',
      }),
    ),
    antimeridian: Type.Optional(
      Type.String({
        enum: ['asGiven', 'shortest'],
        title: 'Edges across the antimeridian',
        description:
          'asGiven: an edge from 179° to -179° runs around the world, as RFC 7946 reads it. shortest: it crosses the antimeridian.',
        default: 'asGiven',
        'x-level': 'advanced',
      }),
    ),
    strict: Type.Optional(Strict),
    memoryMegabytes: Type.Optional(
      Type.Integer({
        minimum: 256,
        maximum: 65_536,
        title: 'Memory',
        description: 'For all workers together. Larger data goes through scratch files.',
        default: 1024,
        'x-unit': 'MB',
        'x-level': 'advanced',
      }),
    ),
    workers: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 256,
        title: 'Workers',
        description:
          'Threads; as many as there are processor cores when absent, fewer where memory is short.',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Processing' },
);
