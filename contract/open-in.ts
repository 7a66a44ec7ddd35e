import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { oneOf } from './schema.ts';

/** The purposes of links. */
export const linkKinds = [
  'page',
  'tilejson',
  'maplibreStyle',
  'xyz',
  'wmts',
  'wms',
  'tileset',
  'terrain',
  'i3s',
  'cog',
  'flatgeobuf',
  'geojson',
  'file',
  'qgis',
  'qgisWmts',
  'gdal',
] as const;
export type LinkKind = (typeof linkKinds)[number];

/** Hints for the use of a link. */
export const linkNotes = ['signIn', 'elsewhere', 'released', 'rowsFromSouth', 'qlrFile', 'inRanges'] as const;
export type LinkNote = (typeof linkNotes)[number];

/** A URL of the data of a datasource for another program. */
export const DataLink = Type.Object({
  kind: oneOf(linkKinds),
  title: Type.String(),
  url: Type.String({ description: 'Absolute; never contains a secret' }),
  command: Type.Optional(Type.String({ description: 'Shell command' })),
  note: Type.Optional(Type.String({ description: 'Further requirements' })),
  notes: Type.Array(oneOf(linkNotes), { description: 'The codes of the sentences of `note`' }),
});
export type DataLink = Static<typeof DataLink>;

export const DataLinks = Type.Object({
  isPublic: Type.Boolean({ description: 'Whether everyone may read the data' }),
  items: Type.Array(DataLink),
});
export type DataLinks = Static<typeof DataLinks>;

export const openInEndpoints = endpoints({
  getProjectDatasourceLinks: {
    method: 'GET',
    path: '/project/:projectId/datasource/:datasourceId/links',
    tag: 'datasources',
    summary: 'List the URLs for opening the data in other programs',
    description:
      'TileJSON, MapLibre style, XYZ, WMTS, 3D Tiles, terrain, COG, FlatGeobuf and others, depending on the type; layer definitions for QGIS and GDAL commands. Data that is not public requires authentication with each request.',
    access: { permission: 'getDatasource', orCreator: true },
    reply: DataLinks,
  },
});
