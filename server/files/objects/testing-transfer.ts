import type { TestService } from '../../testing.ts';

interface Transfer {
  readonly key: string;
  readonly to: string;
  readonly dataBucketId?: string;
  readonly overwrite?: boolean;
  readonly force?: boolean;
}

interface BucketParams {
  readonly projectId: string;
  readonly dataBucketId: string;
}

/** Data buckets of the service, and copies and moves in them. */
export function transfersOf({ admin }: Pick<TestService, 'admin'>) {
  async function upload(params: BucketParams, files: Readonly<Record<string, string>>): Promise<void> {
    const form = new FormData();
    for (const [key, content] of Object.entries(files)) form.append(key, new Blob([content]), 'file');
    await admin.postProjectDataBucketUpload({ params, query: { overwrite: true }, body: form });
  }
  return {
    upload,
    /** Makes a project whose default data bucket has these files. */
    async bucketOf(files: Readonly<Record<string, string>>): Promise<BucketParams> {
      const body = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
      const { _id, defaultDataBucketId } = await admin.postProject({ body });
      const params = { projectId: _id, dataBucketId: defaultDataBucketId };
      if (Object.keys(files).length > 0) await upload(params, files);
      return params;
    },
    async secondBucket({ projectId }: BucketParams): Promise<string> {
      return (await admin.postProjectDataBucket({ params: { projectId }, body: { name: 'second' } }))._id;
    },
    /** The texts of all files of a data bucket by their keys. */
    async contents(params: BucketParams): Promise<Record<string, string>> {
      const { items } = await admin.getProjectDataBucketObjects({ params, query: { limit: 1000 } });
      const texts: Record<string, string> = {};
      for (const { key } of items) {
        const file = await admin.getProjectDataBucketDownloadFile({ params, query: { key } });
        texts[key] = await file.text();
      }
      return texts;
    },
    copy: (params: BucketParams, body: Transfer) => admin.postProjectDataBucketObjectCopy({ params, body }),
    move: (params: BucketParams, body: Transfer) => admin.postProjectDataBucketObjectMove({ params, body }),
  };
}
