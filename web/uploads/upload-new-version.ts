import { startUploads } from './start-uploads.ts';
import { folderOf, nameOf, type UploadTarget } from './upload-item.ts';
import { chooseFiles } from './upload-target.ts';

/** Asks for a file and uploads it as a new revision of the one at a key, whatever the chosen file is called. */
export async function uploadNewVersion(bucket: Omit<UploadTarget, 'prefix'>, key: string): Promise<void> {
  const file = (await chooseFiles({ isSingle: true }))?.[0];
  if (!file) return;
  const target = { ...bucket, prefix: folderOf(key) };
  await startUploads(target, [{ path: nameOf(key), file }], { overwrite: true });
}
