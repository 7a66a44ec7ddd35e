import { tusVersion } from '@platen/contract/uploads';
import type { TestService } from '../../testing.ts';

export interface BucketParams {
  readonly projectId: string;
  readonly dataBucketId: string;
}

/** A project of its own, and its bucket. */
export async function newBucket({ admin }: TestService, quota = {}): Promise<BucketParams> {
  const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
  const { _id, defaultDataBucketId } = await admin.postProject({ body: { ...world, quota } });
  return { projectId: _id, dataBucketId: defaultDataBucketId };
}

export function tusPath({ projectId, dataBucketId }: BucketParams): string {
  return `/api/v1/project/${projectId}/data-bucket/${dataBucketId}/tus`;
}

export function metadata(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

interface TusRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly token?: string;
}

/** A client that speaks tus one request at a time. */
export function tusClient({ app, adminToken }: TestService) {
  return async (
    method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS',
    url: string,
    { headers = {}, body, token = adminToken }: TusRequest = {},
  ) => {
    const reply = await app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': tusVersion,
        ...(body && { 'content-type': 'application/offset+octet-stream' }),
        ...headers,
      },
      ...(body && { payload: body }),
    });
    return {
      status: reply.statusCode,
      headers: reply.headers,
      offset: Number(reply.headers['upload-offset']),
      location: String(reply.headers['location']),
      problem: reply.body.startsWith('{') ? reply.json<{ code: string; detail: string }>() : undefined,
    };
  };
}

/** All that the store keeps: complete objects, and drafts. */
export async function kept({
  context: { store },
}: TestService): Promise<{ objects: number; drafts: number }> {
  let objects = 0;
  let drafts = 0;
  for await (const _ of store.list()) objects++;
  for await (const _ of store.drafts.list()) drafts++;
  return { objects, drafts };
}
