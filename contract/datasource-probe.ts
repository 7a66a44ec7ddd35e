import { Type, type Static } from 'typebox';
import { DatasourceTypeName } from './datasources.ts';
import { endpoints } from './endpoint.ts';
import { Bbox, FreeForm, strict } from './schema.ts';

export const ProbedLayer = Type.Object({
  name: Type.String({ description: 'Name to use in requests' }),
  title: Type.Optional(Type.String()),
  bbox: Type.Optional(Bbox),
});
export type ProbedLayer = Static<typeof ProbedLayer>;

/** The data found at a URL, and how to register it. */
export const DatasourceProbe = Type.Object({
  url: Type.String({ description: 'URL to register, without the parameters that only the probe needs' }),
  type: Type.Optional(DatasourceTypeName),
  title: Type.Optional(Type.String()),
  attribution: Type.Optional(
    Type.String({ description: 'Whom the address names as the source of its data' }),
  ),
  bbox: Type.Optional(Bbox),
  layers: Type.Array(ProbedLayer, {
    description: 'Layers of a map service, at most 1,000; absent for other types',
  }),
  typeProperties: {
    ...FreeForm,
    description: 'Required options; set `layers` or `layer` to choose among several layers',
  },
  problem: Type.Optional(
    Type.String({
      description: 'Why nothing was detected: the server does not respond, or the format is unknown',
    }),
  ),
});
export type DatasourceProbe = Static<typeof DatasourceProbe>;

export const ProbeRequest = strict({
  url: Type.String({ minLength: 1, maxLength: 4096, description: 'A public https address' }),
});

export const datasourceProbeEndpoints = endpoints({
  postProjectDatasourceProbe: {
    method: 'POST',
    path: '/project/:projectId/datasource-probe',
    tag: 'datasources',
    summary: 'Detect what a web address serves: a map service, tiles, terrain or a file',
    description:
      'Reads a small part of it for a few seconds at most: capabilities of WMS and WMTS, tileset.json, layer.json, TileJSON, I3S, or the first bytes of a file. Nothing is stored. The same addresses are allowed as for upload-from-url.',
    access: { permission: 'createDatasource' },
    body: ProbeRequest,
    reply: DatasourceProbe,
    status: 200,
    errors: ['too_many_requests'],
  },
});
