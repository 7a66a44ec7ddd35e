import { objectSampleEndpoints } from '@platen/contract/object-sample';
import { routes } from '../../http/routes.ts';
import { getSample } from './operations.ts';

export const objectSampleRoutes = routes(objectSampleEndpoints, {
  getProjectDataBucketObjectSample: (context, { params, query }) =>
    getSample(context, { ...params, key: query.key, layer: query.layer }),
});
