import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ObjectKey } from './objects.ts';
import { FreeForm, strict } from './schema.ts';

/** Sample features of a layer of a file. */
export const ObjectSample = Type.Object({
  type: Type.Literal('FeatureCollection'),
  layer: Type.String(),
  layers: Type.Array(Type.String(), { description: 'All layers with a sample' }),
  isWhole: Type.Boolean({ description: 'Whether these are all features of the layer' }),
  features: Type.Array(FreeForm, {
    description:
      'GeoJSON features in EPSG:4326, at most 1,000, spread over the data that was read. Large geometries are simplified, long texts are cut; `geometry` is null if the location is unknown',
  }),
});
export type ObjectSample = Static<typeof ObjectSample>;

export const objectSampleEndpoints = endpoints({
  getProjectDataBucketObjectSample: {
    method: 'GET',
    path: '/project/:projectId/data-bucket/:dataBucketId/object/sample',
    tag: 'files',
    summary: 'Get sample features of an inspected file or folder',
    description:
      'For showing a table and a map. The features are read during inspection. Returns 404 with the code `notInspected` before that, `noSample` for data without features such as rasters (which have a thumbnail), and `noLayer` for an unknown layer.',
    access: { permission: 'getDataBucket', orCreator: true },
    query: strict({
      key: ObjectKey,
      layer: Type.Optional(Type.String({ maxLength: 1024, description: 'Default: the first layer' })),
    }),
    reply: ObjectSample,
  },
});
