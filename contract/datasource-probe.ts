import { Type, type Static } from 'typebox';
import { DatasourceTypeName } from './datasources.ts';
import { endpoints } from './endpoint.ts';
import { Bbox, FreeForm, strict } from './schema.ts';

export const ProbedLayer = Type.Object({
  name: Type.String({ description: 'As requests name it' }),
  title: Type.Optional(Type.String()),
  bbox: Type.Optional(Bbox),
});
export type ProbedLayer = Static<typeof ProbedLayer>;

/** What lies at an address of the web, and how it would be registered. */
export const DatasourceProbe = Type.Object({
  url: Type.String({ description: 'What to register: the address without what only the probe needs' }),
  type: Type.Optional(DatasourceTypeName),
  title: Type.Optional(Type.String()),
  bbox: Type.Optional(Bbox),
  layers: Type.Array(ProbedLayer, { description: 'Of a map service, at most 1,000; others have none' }),
  typeProperties: {
    ...FreeForm,
    description: 'Options that it needs; `layers` or `layer` are for whoever chooses among several',
  },
  problem: Type.Optional(
    Type.String({ description: 'Why nothing could be told: it does not answer, or is nothing known' }),
  ),
});
export type DatasourceProbe = Static<typeof DatasourceProbe>;

export const ProbeRequest = strict({
  url: Type.String({ minLength: 1, maxLength: 4096, description: 'https, at a public address' }),
});

export const datasourceProbeEndpoints = endpoints({
  postProjectDatasourceProbe: {
    method: 'POST',
    path: '/project/:projectId/datasource-probe',
    tag: 'datasources',
    summary: 'Look what lies at an address of the web: a map service, tiles, terrain, or a file',
    description:
      'Asks for a little of it, for some seconds at most: capabilities of WMS and WMTS, tileset.json, layer.json, TileJSON, I3S, or the first bytes of a file. Nothing is stored. Addresses are allowed as for upload-from-url.',
    access: { permission: 'createDatasource' },
    body: ProbeRequest,
    reply: DatasourceProbe,
    status: 200,
    errors: ['too_many_requests'],
  },
});
