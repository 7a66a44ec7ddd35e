import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './testing-api.ts';

const limitMs = 60_000;

/** Waits until the service has found out what a datasource holds: what a map asks for depends on it. */
export async function untilFactsAreKnown(
  client: Api,
  params: { readonly projectId: string; readonly datasourceId: string },
): Promise<void> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(100))
    if ((await client.getProjectDatasource({ params })).facts?.bbox !== undefined) return;
  throw new Error(`The extent of the datasource ${params.datasourceId} was not found.`);
}
