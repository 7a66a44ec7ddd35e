import type { ListedObject } from '@platen/contract/object-info';
import type { TrashItem } from '@platen/contract/trash';
import type { Use } from '@platen/contract/used-by';
import { addressOf } from '../api/address.ts';
import { api } from '../api/api.ts';
import { toastFailure } from '../api/failure-toast.ts';
import { formatNumber } from '../i18n/format.ts';
import { i18n } from '../i18n/i18n.ts';
import { toast } from '../ui/toasts.ts';
import { nameOf } from '../uploads/upload-item.ts';
import { isInUse, confirmDeletion } from '../used-by/delete-with-uses.ts';

export interface BucketPlace {
  readonly projectId: string;
  readonly dataBucketId: string;
}
type Target = Pick<ListedObject, 'key' | 'type'>;

/** The download URL of a file; a folder is downloaded as an archive. */
export function downloadAddress(place: BucketPlace, { key, type }: Target): string {
  return type === 'file'
    ? addressOf('getProjectDataBucketDownloadFile', { params: place, query: { key } })
    : addressOf('getProjectDataBucketDownload', { params: place, query: { key } });
}

/** Downloads each of the targets. */
export function download(place: BucketPlace, targets: readonly Target[]): void {
  for (const target of targets) save(downloadAddress(place, target));
}

/** The download URL of a revision of a file. */
export function downloadRevision(place: BucketPlace, key: string, revision: number): string {
  return addressOf('getProjectDataBucketDownloadFile', { params: place, query: { key, revision } });
}

function save(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}

/** Everything that refers to a file, or to something in a folder. */
export async function usesOf(place: BucketPlace, key: string): Promise<readonly Use[]> {
  const { items } = await api.getProjectDataBucketObjectUsedBy({
    params: place,
    query: { key, limit: 1000 },
  });
  return items;
}

/**
 * Moves files and folders to the trash and offers Undo; asks first if they are in use.
 * @returns the keys that were deleted
 */
export async function removeObjects(place: BucketPlace, targets: readonly Target[]): Promise<string[]> {
  const remove = (key: string, force: boolean) =>
    api.deleteProjectDataBucketObject({ params: place, query: { key, force } });
  const gone: string[] = [];
  const used: string[] = [];
  try {
    for (const { key } of targets) {
      try {
        await remove(key, false);
        gone.push(key);
      } catch (failure) {
        if (!isInUse(failure)) throw failure;
        used.push(key);
      }
    }
    if (used.length > 0 && (await confirmAll(place, used))) {
      for (const key of used) {
        await remove(key, true);
        gone.push(key);
      }
    }
  } catch (failure) {
    toastFailure(failure);
  }
  if (gone.length > 0) offerUndo(place, gone);
  return gone;
}

async function confirmAll(place: BucketPlace, keys: readonly string[]): Promise<boolean> {
  const uses = (await Promise.all(keys.map((key) => usesOf(place, key)))).flat();
  const single = new Map(uses.map((use) => [`${use._id} ${use.role}`, use]));
  return confirmDeletion(namesOf(keys), [...single.values()]);
}

function offerUndo(place: BucketPlace, keys: readonly string[]): void {
  const { t } = i18n.global;
  const run = async () => {
    try {
      for (const { _id: trashId } of await inTrash(place, keys)) {
        await api.postProjectTrashItemRestore({ params: { projectId: place.projectId, trashId } });
      }
    } catch (failure) {
      toastFailure(failure);
    }
  };
  toast(t('objects.deleted', { name: namesOf(keys) }), { action: { label: t('ui.undo'), run } });
}

/** The last deleted version of each key. */
async function inTrash({ projectId, dataBucketId }: BucketPlace, keys: readonly string[]) {
  const remaining = new Set(keys);
  const found: TrashItem[] = [];
  const { items } = await api.getProjectTrash({
    params: { projectId },
    query: { type: ['object', 'folder'], orderBy: ['createdAt'], sort: 'desc', limit: 1000 },
  });
  for (const item of items) {
    if (item.dataBucketId === dataBucketId && remaining.delete(item.name)) found.push(item);
  }
  return found;
}

/** The name of a single file, or the number of several. */
export function namesOf(keys: readonly string[]): string {
  const [first] = keys;
  if (keys.length === 1) return nameOf(first!);
  return i18n.global.t('objects.several', { n: formatNumber(keys.length) }, keys.length);
}
