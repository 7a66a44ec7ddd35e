import type { ObjectSample } from '@platen/contract/object-sample';
import type { BucketPath } from '../../files/buckets/operations.ts';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { findReport } from '../inspect/store.ts';
import { findTarget } from '../inspect/target.ts';
import { findSample, findSampledLayers } from './store.ts';

interface SampleRequest extends BucketPath {
  readonly key: string;
  readonly layer: string | undefined;
}

/** @throws Failure `not_found` for the file or for its sample; `errors` says which */
export async function getSample(
  { db }: Context,
  { projectId, dataBucketId, key, layer: requestedLayer }: SampleRequest,
): Promise<ObjectSample> {
  const { reportOf } = await findTarget(db, dataBucketId, key);
  const of = { projectId, reportOf };
  const layers = await findSampledLayers(db, of);
  const [first] = layers;
  if (first === undefined) {
    if (await findReport(db, projectId, reportOf))
      throw notFoundAt('/key', 'noSample', 'The file has no features to show.');
    throw notFoundAt('/key', 'notInspected', 'The file has not been inspected yet. Inspect it first.');
  }
  const layer = requestedLayer ?? first;
  const sample = await findSample(db, of, layer);
  if (!sample) throw notFoundAt('/layer', 'noLayer', 'The file has no sample of a layer with this name.');
  return { type: 'FeatureCollection', layer, layers, ...sample };
}

function notFoundAt(pointer: string, code: string, detail: string): Failure {
  return new Failure('not_found', detail, { errors: [{ pointer, code, detail }] });
}
