import { randomUUID } from 'node:crypto';
import { S3 } from '@aws-sdk/client-s3';
import type { S3Setting } from './s3-setting.ts';
import type { S3Server } from './testing-s3-server.ts';

/** A client that inspects the bucket independently of the store. */
export function clientOf({ endpoint, accessKeyId, secretAccessKey }: S3Server): S3 {
  return new S3({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Sets the keys where an operator would. */
export function useKeysOf({ accessKeyId, secretAccessKey }: S3Server): void {
  process.env['AWS_ACCESS_KEY_ID'] = accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = secretAccessKey;
}

/** Creates a bucket for a test. */
export async function newBucket(server: S3Server): Promise<S3Setting> {
  const bucket = `test-${randomUUID()}`;
  await clientOf(server).createBucket({ Bucket: bucket });
  return { bucket, prefix: 'some/where/', endpoint: server.endpoint, region: undefined };
}

/** The keys of all objects in the bucket, and its open uploads, to detect leftovers. */
export async function everythingIn(
  server: S3Server,
  { bucket: Bucket }: S3Setting,
): Promise<{ keys: string[]; uploads: string[] }> {
  const s3 = clientOf(server);
  const { Contents = [] } = await s3.listObjectsV2({ Bucket });
  const { Uploads = [] } = await s3.listMultipartUploads({ Bucket });
  return { keys: Contents.map(({ Key }) => Key!), uploads: Uploads.map(({ Key }) => Key!) };
}
