import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ObjectKey } from './objects.ts';
import { FreeForm, strict } from './schema.ts';

/** Some features of a layer of a file. */
export const ObjectSample = Type.Object({
  type: Type.Literal('FeatureCollection'),
  layer: Type.String(),
  layers: Type.Array(Type.String(), { description: 'All layers of which there is a sample' }),
  isWhole: Type.Boolean({ description: 'Whether these are all features that the layer has' }),
  features: Type.Array(FreeForm, {
    description:
      'GeoJSON in EPSG:4326, 1,000 at most, from all over what was read. Large geometries have fewer positions, long texts are cut; `geometry` is null where it is not known where on earth it lies',
  }),
});
export type ObjectSample = Static<typeof ObjectSample>;

export const objectSampleEndpoints = endpoints({
  getProjectDataBucketObjectSample: {
    method: 'GET',
    path: '/project/:projectId/data-bucket/:dataBucketId/object/sample',
    tag: 'files',
    summary: 'Get some features of a file or folder that was inspected',
    description:
      'For a table and a map of them. They were read when it was inspected; 404 with the code `notInspected` before that, `noSample` of what has no features, such as rasters (which have a thumbnail), and `noLayer` for a layer of another name.',
    access: { permission: 'getDataBucket', orCreator: true },
    query: strict({
      key: ObjectKey,
      layer: Type.Optional(Type.String({ maxLength: 1024, description: 'The first one when absent' })),
    }),
    reply: ObjectSample,
  },
});
