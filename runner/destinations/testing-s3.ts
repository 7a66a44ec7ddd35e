import { S3 } from '@aws-sdk/client-s3';
import type { S3Server } from '@platen/storage/testing-s3-server';
import type { S3Target } from './s3.ts';

export interface TestBucket {
  readonly s3: S3;
  readonly target: (change?: Partial<S3Target>) => S3Target;
  /** Keys, and those of uploads that were begun and not ended. */
  everything(): Promise<string[]>;
}

/** A new bucket, and one who looks into it from outside. */
export async function newBucketOn(server: S3Server, bucket: string): Promise<TestBucket> {
  const { endpoint, accessKeyId, secretAccessKey } = server;
  const s3 = new S3({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await s3.createBucket({ Bucket: bucket });
  return {
    s3,
    target: (change = {}) => ({
      type: 's3',
      endpoint,
      region: 'us-east-1',
      bucket,
      isPathStyle: true,
      accessKeyId,
      secretAccessKey,
      prefix: '',
      ...change,
    }),
    async everything() {
      const { Contents = [] } = await s3.listObjectsV2({ Bucket: bucket });
      const { Uploads = [] } = await s3.listMultipartUploads({ Bucket: bucket });
      return [...Contents, ...Uploads].map(({ Key = '' }) => Key).toSorted();
    },
  };
}
