import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Bbox, Id, oneOf, strict } from './schema.ts';

/** `datasource`: data of a project, such as PMTiles, rasters or terrain that are kept here; for projects only. */
export const baseMapTypes = ['xyz', 'pmtiles', 'wmts', 'wms', 'terrain', 'datasource'] as const;
export type BaseMapType = (typeof baseMapTypes)[number];

/** The names of countries and towns, which lie on whichever base map is shown, and above the data. */
export const worldNames = 'world-names';

/** The same below all data of flat maps. */
export const worldNamesBelow = 'world-names-below';

export type NamesId = typeof worldNames | typeof worldNamesBelow;
export const isOfNames = (id: unknown): id is NamesId => id === worldNames || id === worldNamesBelow;

/** The world maps that every service has. */
export const worldMaps = ['world-light', 'world-grey', 'world-dark', worldNames, worldNamesBelow] as const;

export const maxBaseMaps = 50;

/** What an app names a base map by; a project’s base map wins over one of the service with the same id. */
export const BaseMapId = Type.String({
  pattern: '^[a-z\\d](?:[a-z\\d-]{0,38}[a-z\\d])?$',
  description: 'Lower-case letters, digits and hyphens; unique in its list',
});

const address = (description: string) => Type.String({ minLength: 1, maxLength: 2048, description });
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
const zoom = (description: string) => Type.Integer({ minimum: 0, maximum: 30, description });

/** A map that lies below the data of apps, or the terrain that they stand on. */
export const BaseMap = strict({
  id: BaseMapId,
  name: text(100, 'Shown to visitors'),
  type: oneOf(baseMapTypes),
  url: Type.Optional(
    address(
      'xyz: a template with {z}, {x} and {y}; pmtiles: the archive, of pictures or of vector tiles, which map viewers read by ranges; wmts: its address, or a template with {TileMatrix}, {TileCol} and {TileRow}; wms: its address; terrain: the folder with layer.json',
    ),
  ),
  datasourceId: Type.Optional({ ...Id, description: 'A datasource of the project; for the type datasource' }),
  layer: Type.Optional(text(500, 'wms: names of layers, separated by commas; wmts: name of the layer')),
  style: Type.Optional(text(200, 'wms and wmts: name of the style')),
  tileMatrixSet: Type.Optional(text(200, 'wmts: a tile matrix set in Web Mercator')),
  format: Type.Optional(
    oneOf(['image/png', 'image/jpeg', 'image/webp'], 'wms and wmts; image/png by default'),
  ),
  minZoom: Type.Optional(zoom('First zoom level that there is')),
  maxZoom: Type.Optional(zoom('Last zoom level that there is; it is stretched beyond')),
  bbox: Type.Optional(Bbox),
  attribution: Type.Optional(
    strict({
      text: text(300, 'Whom the map names as its source'),
      url: Type.Optional(address('A web page about the source')),
    }),
  ),
  thumbnail: Type.Optional(address('An https address of a small picture for the gallery')),
});
export type BaseMap = Static<typeof BaseMap>;

export const BaseMaps = Type.Array(BaseMap, {
  maxItems: maxBaseMaps,
  description: 'Base maps that apps may choose, in the order of the gallery',
});

/** The choice of an app. */
export const ChosenBaseMaps = Type.Array(BaseMapId, {
  maxItems: maxBaseMaps,
  uniqueItems: true,
  description:
    'Ids of the base maps between which visitors choose, the one at the start first; empty: the light world map. `world-names` lies above the areas and lines of the data, `world-names-below` below all data of flat maps.',
});

/** A base map that an app may choose. */
export const OfferedBaseMap = Type.Object({
  id: BaseMapId,
  from: oneOf(['world', 'service', 'project'], 'Whose it is; world: one that every service has'),
  name: Type.Optional(Type.String({ description: 'Absent for the world maps, which clients name' })),
  type: oneOf(['world', ...baseMapTypes]),
  thumbnail: Type.Optional(Type.String()),
});
export type OfferedBaseMap = Static<typeof OfferedBaseMap>;

type Offer = Pick<OfferedBaseMap, 'id' | 'from'>;

/** The ids of the base maps that somebody has set up. */
export const ownBaseMaps = (offered: readonly Offer[]): string[] =>
  offered
    .filter(({ from }) => from !== 'world')
    .slice(0, maxBaseMaps)
    .map(({ id }) => id);

/** What a new map shows: the base maps that somebody has set up, else the light world map with its names. */
export function firstBaseMaps(offered: readonly Offer[]): string[] {
  const own = ownBaseMaps(offered);
  return own.length > 0 ? own : ['world-light', worldNames];
}

export const baseMapEndpoints = endpoints({
  getProjectBaseMaps: {
    method: 'GET',
    path: '/project/:projectId/base-maps',
    tag: 'apps',
    summary: 'List the base maps that apps of a project may choose',
    description:
      'Those of the project first, then those of the service, then the world maps. `baseMaps` of an app names them by id.',
    access: { permission: 'getProject' },
    reply: Type.Object({ items: Type.Array(OfferedBaseMap) }),
  },
});
