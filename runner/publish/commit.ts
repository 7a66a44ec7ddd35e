import { requireLease } from '../job-client.ts';
import { uploadDraft, type UploadFileOptions, type UploadedDraft } from './upload-file.ts';
import type { FileUpload } from './compare.ts';
import { forEachParallel } from '../for-each-parallel.ts';

interface CommitOptions extends UploadFileOptions {
  readonly atOnce: number;
  readonly note: (sending: FileUpload, size: number) => void;
}

/**
 * Uploads all drafts before it makes the first visible, so that visitors hardly ever see a mixture of old and new
 * files; entry pages are switched last.
 */
export async function commit(
  { replacing, entries }: { replacing: readonly FileUpload[]; entries: readonly FileUpload[] },
  { atOnce, note, ...carrying }: CommitOptions,
): Promise<void> {
  const { signal } = carrying;
  const drafts = new Map<FileUpload, UploadedDraft>();
  const switchTo = async (sending: FileUpload) => {
    const { draft, size } = drafts.get(sending)!;
    await draft.switch();
    drafts.delete(sending);
    note(sending, size);
  };
  try {
    await forEachParallel([...replacing, ...entries], { atOnce, signal }, async (sending, either) => {
      drafts.set(sending, await uploadDraft(sending, { ...carrying, signal: either }));
    });
    await requireLease(carrying);
    await forEachParallel(replacing, { atOnce, signal }, switchTo);
    for (const sending of entries) await switchTo(sending);
  } finally {
    await dropAll(drafts.values()).catch(() => {}); // otherwise `tidy` of the next run removes them
  }
}

/** Stops at the first error, as the other drafts would fail as well. */
async function dropAll(drafts: Iterable<UploadedDraft>): Promise<void> {
  for (const { draft } of drafts) await draft.drop();
}
