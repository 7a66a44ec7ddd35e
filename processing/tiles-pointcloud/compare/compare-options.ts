import { Type } from 'typebox';

/** `processing.compareTo` */
export const CompareOptions = Type.Object(
  {
    input: Type.String({
      minLength: 1,
      maxLength: 300,
      title: 'Older point cloud',
      description:
        'Name of the input with it: a file, a folder, an archive, or a tileset of points, such as a datasource of an earlier job. Its points become no tiles.',
    }),
    maxMetres: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 100,
        title: 'Farthest distance',
        description: 'Points that are farther from the older cloud get this distance.',
        default: 5,
        'x-unit': 'm',
        'x-level': 'advanced',
      }),
    ),
  },
  {
    title: 'Change detection',
    description:
      'Gives each point its distance to the nearest point of an older point cloud, as attribute DISTANCE with a style.',
    'x-level': 'advanced',
  },
);
