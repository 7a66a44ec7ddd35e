import { paramsOf, type Endpoint } from '@platen/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../base/context.ts';

const maxKeyLength = 300;

/** Records that a user downloads data of a project. Parts of one download, and several files of a bucket, are counted. */
export async function recordExport(
  { repeatedAudit, now }: Context,
  { path }: Endpoint,
  { caller, params, query }: FastifyRequest,
): Promise<void> {
  if (!caller) return;
  const ids = params as Readonly<Record<string, string>>;
  const { key } = query as { key?: string };
  const targetId = ids[paramsOf(path).at(-1) ?? ''] ?? '';
  const detail = { path, ...(key !== undefined && { key: key.slice(0, maxKeyLength) }) };
  const projectId = ids['projectId'] ?? '';
  await repeatedAudit.record({ now: now(), caller, action: 'data.export', projectId, targetId, detail });
}
