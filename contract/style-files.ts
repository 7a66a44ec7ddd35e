import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { MapStyle } from './map-styles.ts';
import { oneOf, strict } from './schema.ts';

export const styleFormats = ['sld-1.0', 'sld-1.1', 'mapbox', 'qml'] as const;
export const StyleFormat = oneOf(
  styleFormats,
  'SLD 1.0, SLD 1.1 with Symbology Encoding, a style of Mapbox and MapLibre, or QML of QGIS',
);
export type StyleFormat = Static<typeof StyleFormat>;

export const maxStyleFileLength = 1_000_000;

const shapes = ['point', 'line', 'area', 'mixed', 'object', 'cloud'] as const;
const Shape = oneOf(shapes, 'What is drawn');

/** What a style item keeps of the style by attribute that it was made from. */
export const StyleOrigin = strict({ style: MapStyle, shape: Shape });

export const StyleFileNote = Type.Object({
  code: Type.String({ description: 'Such as `leftOut`; further codes may follow' }),
  values: Type.Record(Type.String(), Type.String(), { description: 'What the message names' }),
  message: Type.String({ description: 'In English' }),
});
export type StyleFileNote = Static<typeof StyleFileNote>;

const Notes = Type.Array(StyleFileNote, { description: 'What is left out or drawn differently, at most 50' });

export const StyleFileContent = strict({
  text: Type.String({
    minLength: 1,
    maxLength: maxStyleFileLength,
    description: 'Content of the file; its format is recognised',
  }),
});

export const ImportedStyle = Type.Object({
  name: Type.Optional(Type.String({ description: 'Name or title in the file' })),
  style: MapStyle,
  shape: Shape,
  notes: Notes,
});
export type ImportedStyle = Static<typeof ImportedStyle>;

export const StyleImport = Type.Object({
  format: StyleFormat,
  styles: Type.Array(ImportedStyle, { description: 'At most 50' }),
});
export type StyleImport = Static<typeof StyleImport>;

export const StyleToExport = strict({
  style: MapStyle,
  shape: Shape,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  format: StyleFormat,
});

export const StyleExport = Type.Object({
  fileName: Type.String(),
  mediaType: Type.String(),
  text: Type.String({ description: 'Content of the file' }),
  notes: Notes,
});
export type StyleExport = Static<typeof StyleExport>;

const tag = 'datasources';

export const styleFileEndpoints = endpoints({
  postProjectStyleImport: {
    method: 'POST',
    path: '/project/:projectId/style-import',
    tag,
    summary: 'Read a style file of another program',
    description:
      'Answers with styles by attribute, and says what they cannot express. Nothing is stored: `datasource.properties.styles` takes style items.',
    access: { permission: 'getProject' },
    body: StyleFileContent,
    bodyLimit: 'freeForm',
    reply: StyleImport,
    status: 200,
    errors: ['unprocessable'],
  },
  postProjectStyleExport: {
    method: 'POST',
    path: '/project/:projectId/style-export',
    tag,
    summary: 'Write a style by attribute as a style file of another program',
    description:
      'Nothing is stored. A style whose file would be longer than an import takes is refused: 422.',
    access: { permission: 'getProject' },
    body: StyleToExport,
    bodyLimit: 'freeForm',
    reply: StyleExport,
    status: 200,
    errors: ['unprocessable'],
  },
  getProjectDatasourceStyleExport: {
    method: 'GET',
    path: '/project/:projectId/datasource/:datasourceId/style-export',
    tag,
    summary: 'Write a style of a datasource as a style file of another program',
    description: 'A style that was written as expressions by hand has no equal: 422.',
    access: { permission: 'getDatasource', orCreator: true },
    query: strict({
      format: StyleFormat,
      name: Type.Optional(
        Type.String({ maxLength: 200, description: 'Name of the style; by default the first one' }),
      ),
    }),
    reply: StyleExport,
    errors: ['unprocessable'],
  },
});
