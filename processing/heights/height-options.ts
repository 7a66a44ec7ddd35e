import { Type, type Static } from 'typebox';

/**
 * The option `heights` of every job type whose output has heights. Kept light, as the server validates with it and the
 * web draws forms from it.
 */
export const HeightOptions = Type.Object(
  {
    vertical: Type.Optional(
      Type.String({
        pattern: '^(?:auto|ellipsoid|(?:EPSG:)?[0-9]{4,5})$',
        title: 'Heights count from',
        description:
          'auto: what the file says, or else what is usual for such data. ellipsoid: the ellipsoid of WGS 84, as the globe does. An EPSG code of a vertical coordinate system: sea level as a country measures it, such as EPSG:7837 (DHHN2016) or EPSG:5773 (EGM96).',
        default: 'auto',
      }),
    ),
    unit: Type.Optional(
      Type.String({
        enum: ['auto', 'metre', 'foot', 'usSurveyFoot'],
        title: 'Unit of heights',
        description: 'auto: what the file says, or else metres.',
        default: 'auto',
      }),
    ),
    direction: Type.Optional(
      Type.String({
        enum: ['auto', 'up', 'down'],
        title: 'Direction',
        description: 'auto: what the file says, or else up. down: depths, which count downwards.',
        default: 'auto',
        'x-level': 'advanced',
      }),
    ),
    offset: Type.Optional(
      Type.Number({
        minimum: -12_000,
        maximum: 12_000,
        title: 'Offset',
        description: 'Added to all heights.',
        default: 0,
        'x-unit': 'm',
        'x-level': 'advanced',
      }),
    ),
    geoid: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        title: 'Geoid grid',
        description:
          'Name of the input that is a geoid grid (GeoTIFF as PROJ has them, or .gtx) for these heights. Default: a grid of the operator, or else one of the installation.',
        'x-level': 'advanced',
      }),
    ),
  },
  { title: 'Heights' },
);
export type HeightOptions = Static<typeof HeightOptions>;

/** The same for data that can be placed on the globe in several ways. The first mode is the default. */
export const placedHeights = (modes: readonly string[], description: string) =>
  Type.Object(
    {
      mode: Type.Optional(
        Type.String({ enum: [...modes], title: 'Place on the globe', description, default: modes[0]! }),
      ),
      ...HeightOptions.properties,
    },
    { title: 'Heights' },
  );
