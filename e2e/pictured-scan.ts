import type { FreeForm } from '@platen/contract/schema';
import type { RunningService } from './processes.ts';
import { writeScan } from './testing-scan.ts';

/** Tiles of points to look at. */
export interface PicturedScan {
  readonly layer: FreeForm;
  /** [longitude, latitude, height] of its middle. */
  readonly middle: readonly number[];
}

/** Uploads a scan and makes tiles of it. */
export async function makeScan(
  { client }: RunningService,
  { projectId, dataBucketId }: { readonly projectId: string; readonly dataBucketId: string },
): Promise<PicturedScan> {
  const form = new FormData();
  const dataBucketKey = 'scan.las';
  form.append('file', new Blob([new Uint8Array(writeScan())]), dataBucketKey);
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const { lastJob } = await client.postProjectTaskSync({
    params: { projectId },
    query: { waitSeconds: 300 },
    body: {
      name: 'scan',
      jobType: 'platenTilesPointcloud',
      parameters: {
        datasource: { command: 'create', name: 'Scan' },
        options: { input: { type: 'internal', dataBucketId, dataBucketKey } },
      },
    },
  });
  const params = { projectId, datasourceId: lastJob.outputs.datasourceId! };
  const { bbox, properties } = await client.getProjectDatasource({ params });
  const { style: _, ...layer } = await client.getProjectDatasourceConfig({ params });
  const [west, south, east, north] = bbox as [number, number, number, number];
  const [low] = properties['heightRange'] as [number, number];
  return { layer, middle: [(west + east) / 2, (south + north) / 2, low + 3] };
}

/** What a module shows of a scan: in one of its styles, at an angle. */
export const scanModule = (
  { layer, middle }: PicturedScan,
  { pointStyle, distance }: { readonly pointStyle: string | undefined; readonly distance: number },
): { readonly layer: FreeForm; readonly view: FreeForm } => ({
  layer: {
    ...layer,
    name: 'data',
    activeOnStartup: true,
    properties: { title: 'Scan', ...(pointStyle !== undefined && { datasourceStyle: pointStyle }) },
  },
  view: { groundPosition: middle, distance, pitch: -40 },
});
