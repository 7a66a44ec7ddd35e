import { Type, type Static } from 'typebox';

/** The option `placement` of job types whose inputs, models and scans, may not say where they are. */
export const PlacementOptions = Type.Object(
  {
    longitude: Type.Optional(
      Type.Number({
        minimum: -180,
        maximum: 180,
        title: 'Longitude',
        description: 'Where the origin of the model stands.',
        'x-unit': '°',
      }),
    ),
    latitude: Type.Optional(
      Type.Number({
        minimum: -90,
        maximum: 90,
        title: 'Latitude',
        description: 'Where the origin of the model stands.',
        'x-unit': '°',
      }),
    ),
    height: Type.Optional(
      Type.Number({
        minimum: -12_000,
        maximum: 100_000,
        title: 'Height',
        description:
          'Height of the origin. It counts from what heights.vertical says, or else from the ellipsoid.',
        default: 0,
        'x-unit': 'm',
      }),
    ),
    heading: Type.Optional(
      Type.Number({
        minimum: -360,
        maximum: 360,
        title: 'Heading',
        description: 'Turns the model clockwise, seen from above. 0: its y axis points north.',
        default: 0,
        'x-unit': '°',
      }),
    ),
    scale: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000_000,
        title: 'Scale',
        description: 'Metres of a unit of the model: 0.001 for millimetres, 0.3048 for feet.',
        default: 1,
      }),
    ),
    upAxis: Type.Optional(
      Type.String({
        enum: ['auto', 'y', 'z'],
        title: 'Upward axis',
        description: 'auto: z, and in glTF y.',
        default: 'auto',
      }),
    ),
    crs: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 10_000,
        title: 'Coordinate system',
        description:
          'Instead of longitude and latitude: the coordinates of the model are in this system, such as EPSG:25832, or EPSG:4978 for geocentric ones.',
      }),
    ),
    offset: Type.Optional(
      Type.Array(Type.Number(), {
        minItems: 3,
        maxItems: 3,
        title: 'Offset',
        description:
          'Added to the coordinates of the model (x, y, z) before they are in the coordinate system.',
      }),
    ),
  },
  { title: 'Placement' },
);
export type PlacementOptions = Static<typeof PlacementOptions>;
