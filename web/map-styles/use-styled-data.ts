import { RequestFailed } from '@platen/client/client';
import type { StyledShape } from '@platen/contract/map-styles';
import type { Datasource } from '@platen/contract/datasources';
import { hasPlacedLabels } from '@platen/contract/placed-labels';
import { namedStylesOf, type NamedStyle } from '@platen/contract/named-styles';
import {
  fieldSummaries,
  inspectedSummaries,
  shapeOf,
  summariseAttributes,
} from '@platen/styles/attribute-summaries';
import { haveOwnColours, pointAttributes } from '@platen/styles/point-cloud/point-attributes';
import type { AttributeSummary } from '@platen/styles/style-attribute';
import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { api } from '../api/api.ts';
import { nullIfMissing } from '../api/failure.ts';
import { projectKey } from '../live/keys.ts';
import { featureTypes, isPointCloud, objectTypes } from './styled-types.ts';

export interface StyledData {
  readonly attributes: readonly AttributeSummary[];
  readonly shape: StyledShape;
  /** As far as it is known. */
  readonly featureCount?: number;
  /** Whether a job placed labels in its tiles. */
  readonly hasPlacedLabels?: boolean;
  /** Whether tiles hold parts of its features. */
  readonly isTiled?: boolean;
  /** Whether the points of a cloud have colours of their own. */
  readonly hasOwnColours?: boolean;
}

/** A datasource as styles see it. */
interface StyledDatasource extends StyledData {
  /** Its named styles, the default first. */
  readonly styles: readonly NamedStyle[];
}

/** The key of its query. */
export const styledKey = (projectId: string, datasourceId: string) =>
  projectKey(projectId, 'datasource', 'styled', datasourceId);

/** What a style can refer to: attributes of a datasource, from its properties or else from sample features. */
export function useStyledData(where: () => { projectId: string; datasourceId: string | undefined }) {
  const { data } = useQuery({
    key: () => styledKey(where().projectId, where().datasourceId ?? ''),
    enabled: () => where().datasourceId !== undefined,
    query: async (): Promise<StyledDatasource | null> => {
      const { projectId, datasourceId = '' } = where();
      const params = { projectId, datasourceId };
      const datasource = await api.getProjectDatasource({ params }).catch(nullIfMissing);
      return (
        datasource && { ...(await styledDataOf(datasource)), styles: namedStylesOf(datasource.properties) }
      );
    },
  });
  return computed(() => data.value ?? undefined);
}

export async function styledDataOf(datasource: Datasource): Promise<StyledData> {
  const { properties, type } = datasource;
  if (isPointCloud(datasource)) return pointsOf(properties);
  const attributes = fieldSummaries(properties['fields'], layerCountOf(properties));
  const types = properties['geometryTypes'];
  if (objectTypes.has(type))
    return {
      attributes: attributes.length > 0 ? attributes : await inspectedOf(datasource),
      shape: 'object',
    };
  const { featureCount } = properties;
  if (attributes.length > 0)
    return {
      attributes,
      shape: shapeOf(Array.isArray(types) ? types : []),
      ...(typeof featureCount === 'number' && { featureCount }),
      ...(hasPlacedLabels(properties) && { hasPlacedLabels: true }),
      ...(type === 'vectortiles' && { isTiled: true }),
    };
  // images and terrain have no features to sample
  return featureTypes.has(type) ? sampleOf(datasource) : { attributes, shape: 'mixed' };
}

/** Of a tileset, some of whose layers may have no attributes; unlimited if not all of them are listed. */
function layerCountOf({ vectorLayers, isShortened }: Datasource['properties']): number {
  if (isShortened === true) return Infinity;
  return Array.isArray(vectorLayers) ? vectorLayers.length : 0;
}

function pointsOf(properties: Datasource['properties']): StyledData {
  const { fields, jobStyles, heightRange, raisedBy, pointCount } = properties;
  const styles = [...namedStylesOf({ styles: jobStyles }), ...namedStylesOf(properties)];
  // the attribute HEIGHT counts from before the cloud was moved
  const rise = typeof raisedBy === 'number' ? raisedBy : 0;
  const heights = Array.isArray(heightRange)
    ? (heightRange as number[]).map((metres) => metres - rise)
    : undefined;
  return {
    attributes: pointAttributes(fields, styles, heights),
    shape: 'cloud',
    hasOwnColours: haveOwnColours(styles),
    ...(typeof pointCount === 'number' && { featureCount: pointCount }),
  };
}

/** Of 3D objects, as the inspection of their file found them; it usually ran after the upload. */
async function inspectedOf({ projectId, sourceProperties: source }: Datasource): Promise<AttributeSummary[]> {
  if (source.type === 'external') return [];
  const { dataBucketId, dataBucketKey: key } = source;
  const found = await api
    .postProjectDataBucketInspect({ params: { projectId, dataBucketId }, query: { key, waitSeconds: 5 } })
    .catch(nullIfRefused);
  return found && 'layers' in found ? inspectedSummaries(found.layers.flatMap(({ fields }) => fields)) : [];
}

/** Without a runner, or without the right to read files, nothing is known. */
function nullIfRefused(failure: unknown): null {
  if (failure instanceof RequestFailed) return null;
  throw failure;
}

async function sampleOf({ projectId, sourceProperties: source }: Datasource): Promise<StyledData> {
  if (source.type === 'external') return { attributes: [], shape: 'mixed' };
  const { dataBucketId, dataBucketKey: key } = source;
  const sample = await api
    .getProjectDataBucketObjectSample({ params: { projectId, dataBucketId }, query: { key } })
    .catch(nullIfMissing);
  const features = (sample?.features ?? []) as {
    properties?: object | null;
    geometry?: { type: string } | null;
  }[];
  const isPartial = sample?.isWhole !== true || sample.layers.length > 1;
  return {
    attributes: summariseAttributes(
      features.map(({ properties }) => ({ ...properties })),
      isPartial,
    ),
    shape: shapeOf(features.map(({ geometry }) => geometry?.type)),
    featureCount: features.length,
  };
}
