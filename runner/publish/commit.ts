import { uploadDraft, type UploadFileOptions, type UploadedDraft } from './upload-file.ts';
import type { FileUpload } from './compare.ts';
import { forEachParallel } from './for-each-parallel.ts';
import { requireLease } from './require-held.ts';

interface CommitOptions extends UploadFileOptions {
  readonly atOnce: number;
  readonly note: (sending: FileUpload, size: number) => void;
}

/**
 * All of them are there before the first is switched to, so that nobody finds one new and another old for long; what others
 * lead to comes before the entries.
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
    await dropAll(drafts.values()).catch(() => {}); // `tidy` of the next run finds what is left
  }
}

/** Where one of them cannot be removed any more, the others cannot either. */
async function dropAll(drafts: Iterable<UploadedDraft>): Promise<void> {
  for (const { draft } of drafts) await draft.drop();
}
