import { apiEndpoints } from '@platen/contract/api';
import type { Endpoint } from '@platen/contract/endpoint';
import type { Example } from '@platen/contract/examples';
import type { TestService } from '../../testing.ts';
import { recordAccounts } from './testing-accounts.ts';
import { recordEnds } from './testing-ends.ts';
import { recordFiles } from './testing-files.ts';
import { recordMaps } from './testing-maps.ts';
import { recordPublishing, recordPublishingRunner } from './testing-publishing.ts';
import { createRecorder, type OperationName, type Recorder } from './testing-recorder.ts';
import { recordWork } from './testing-work.ts';

/** Queries without which an operation has nothing to answer. */
const queries: Partial<Record<OperationName, Record<string, string>>> = {
  getSearch: { text: 'harb' },
  getAuditExport: { format: 'ndjson' },
  getMapPlugin: { name: '@city/lamps' },
  getProjectDataBucketObject: { key: 'piers.geojson' },
  getProjectDataBucketObjectRevisions: { key: 'piers.geojson' },
  getProjectDataBucketObjectUsedBy: { key: 'piers.geojson' },
  getProjectDataBucketDownloadFile: { key: 'piers.geojson' },
  getProjectDataBucketObjectSample: { key: 'piers.geojson' },
  getProjectJobFile: { name: 'rejects.geojson' },
};

/** Operations of datasources that jobs have made. */
const ofTiles = new Set<string>(['getProjectDatasourceLineage', 'getProjectDatasourceDownload']);

/** A stream without an end, and an archive that takes long: their examples have no answer. */
const unread = new Set<string>(['getProjectEvents', 'getProjectAppDownload']);

/**
 * Calls every operation of a service at least once: those that change something in a sensible order, all that only
 * read as soon as there is something to read.
 * @param web address of a server that answers as a map service
 */
export async function recordStory(service: TestService, web: string): Promise<Map<OperationName, Example>> {
  const recorder = createRecorder(service);
  await recordAccounts(recorder);
  await recordFiles(recorder);
  await recordMaps(recorder, web);
  await recordWork(recorder);
  await recordPublishing(recorder);
  await recordPublishingRunner(recorder);
  await readEverything(recorder);
  await recordEnds(recorder);
  return recorder.exchanges;
}

async function readEverything({ call, exchanges, ids }: Recorder): Promise<void> {
  for (const [key, { method, query, access }] of Object.entries<Endpoint>(apiEndpoints)) {
    const name = key as OperationName;
    const isRead = method === 'GET' && access !== 'runner' && access !== 'job';
    if (!isRead || exchanges.has(name)) continue;
    const limit = query && 'limit' in query.properties ? { limit: 2 } : {};
    const path = ofTiles.has(name) ? { datasourceId: ids['tilesId']! } : {};
    if (unread.has(name)) exchanges.set(name, { path: { ...ids }, query: {}, status: 200 });
    else await call(name, { path, query: { ...limit, ...queries[name] } });
  }
}
