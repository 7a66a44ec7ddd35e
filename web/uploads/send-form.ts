import { RequestFailed } from '@platen/client/client';
import { api } from '../api/api.ts';
import { mayReplace } from './next-work.ts';
import type { UploadItem } from './upload-item.ts';

/** Sends small files in one form. `settled` reports each result; throws when the results are unknown. */
export async function sendForm(
  items: readonly UploadItem[],
  { signal, settled }: { signal: AbortSignal; settled: (item: UploadItem, failure?: unknown) => void },
): Promise<void> {
  const [{ projectId, bucketId: dataBucketId } = { projectId: '', bucketId: '' }] = items;
  const body = new FormData();
  // a part named `file` would get its file name as key
  for (const { key, file } of items) body.append(key, file, key === 'file' ? key : 'file');
  const query = { overwrite: items.every(mayReplace) };
  try {
    const report = await api.postProjectDataBucketUpload({
      params: { projectId, dataBucketId },
      query,
      body,
      signal,
    });
    const results = (report as { files?: readonly FileResult[] } | undefined)?.files;
    for (const [index, item] of items.entries()) {
      const { status = 204, problem } = results?.[index] ?? {};
      settled(item, status < 400 ? undefined : new RequestFailed(status, problem ?? {}));
    }
  } catch (failure) {
    const [only] = items;
    if (items.length === 1 && failure instanceof RequestFailed && failure.status < 500)
      settled(only!, failure);
    else throw failure;
  }
}

interface FileResult {
  readonly status: number;
  readonly problem?: ConstructorParameters<typeof RequestFailed>[1];
}
