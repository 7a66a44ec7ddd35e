import { JobFailure } from '../job-type.ts';
import type { TilesVectorOptions } from './spec.ts';

/**
 * Rejects options that are valid alone but contradict each other, before the job reads anything.
 * @throws JobFailure `zoomRange` or `invalidOption`, with a JSON pointer into the options
 */
export function validateOptions({
  tiling = {},
  modelOptions = {},
  processing = {},
}: TilesVectorOptions): void {
  const { minZoom = 0, maxZoom = Infinity } = tiling;
  if (minZoom > maxZoom) {
    throw new JobFailure(
      'zoomRange',
      `/tiling/maxZoom: tiling.maxZoom (${maxZoom}) is below tiling.minZoom (${minZoom}).`,
    );
  }
  checkLayers(modelOptions, { minZoom, maxZoom });
  const { cluster } = processing;
  if (cluster !== undefined) checkCluster(cluster, modelOptions, { minZoom, maxZoom });
}

interface Zooms {
  readonly minZoom: number;
  readonly maxZoom: number;
}

type Model = NonNullable<TilesVectorOptions['modelOptions']>;
type Cluster = NonNullable<NonNullable<TilesVectorOptions['processing']>['cluster']>;

function checkLayers({ layers, layerName }: Model, { minZoom, maxZoom }: Zooms): void {
  if (layers === undefined) return;
  if (layers.length === 0) throw new JobFailure('invalidOption', '/modelOptions/layers: the list is empty.');
  if (layerName !== undefined) {
    throw new JobFailure(
      'invalidOption',
      '/modelOptions/layerName: modelOptions.layers already names the layers.',
    );
  }
  for (const [i, layer] of layers.entries()) {
    const pointer = `/modelOptions/layers/${i}`;
    if ((layer.minZoom ?? 0) > maxZoom) {
      const message = `the layer "${layer.name}" begins above tiling.maxZoom (${maxZoom}) and is never visible.`;
      throw new JobFailure('zoomRange', `${pointer}/minZoom: ${message}`);
    }
    if ((layer.maxZoom ?? Infinity) < minZoom) {
      const message = `the layer "${layer.name}" ends below tiling.minZoom (${minZoom}) and is never visible.`;
      throw new JobFailure('zoomRange', `${pointer}/maxZoom: ${message}`);
    }
  }
}

const ownAttributes = new Set(['cluster', 'point_count']);

function checkCluster(cluster: Cluster, { layers }: Model, { minZoom, maxZoom }: Zooms): void {
  const hasPoints =
    layers === undefined ||
    layers.some(
      ({ geometryTypes, labelPoints = false }) =>
        labelPoints !== false || geometryTypes === undefined || geometryTypes.includes('Point'),
    );
  if (!hasPoints) {
    const message = 'only points can be clustered, and no layer has any.';
    throw new JobFailure('invalidOption', `/processing/cluster: ${message}`);
  }
  for (const name of Object.keys(cluster.aggregates ?? {})) {
    if (!ownAttributes.has(name)) continue;
    const message = 'every cluster already has an attribute of this name.';
    throw new JobFailure('invalidOption', `/processing/cluster/aggregates/${name}: ${message}`);
  }
  const last = cluster.maxZoom;
  if (last === undefined) return;
  if (last < minZoom || last > maxZoom) {
    const message = `clusters end at ${last}, which is not a zoom level from tiling.minZoom to tiling.maxZoom.`;
    throw new JobFailure('zoomRange', `/processing/cluster/maxZoom: ${message}`);
  }
}
