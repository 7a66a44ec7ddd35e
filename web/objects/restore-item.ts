import { RequestFailed } from '@platen/client/client';
import type { TrashItem } from '@platen/contract/trash';
import { api } from '../api/api.ts';
import { detailOf } from '../api/failure.ts';
import { toastFailure } from '../api/failure-toast.ts';
import { i18n } from '../i18n/i18n.ts';
import { confirm } from '../ui/confirm.ts';

/** Restores a deleted item; asks before replacing something of the same name. @returns whether it was restored */
export async function restoreItem(
  projectId: string,
  { _id: trashId, name, type }: TrashItem,
): Promise<boolean> {
  const restore = (query: { overwrite?: boolean; force?: boolean }) =>
    api.postProjectTrashItemRestore({ params: { projectId, trashId }, query });
  try {
    await restore({});
    return true;
  } catch (failure) {
    const isInTheWay = failure instanceof RequestFailed && [409, 422].includes(failure.status);
    if (!isInTheWay) return failed(failure);
    const { t } = i18n.global;
    const detail = detailOf(failure);
    const isConfirmed = await confirm({
      title: t('objects.trash.conflict', { name }),
      text: t(type === 'datasource' ? 'objects.trash.conflictData' : 'objects.trash.conflictText'),
      ...(detail !== undefined && { items: [detail] }),
      action: t('objects.trash.anyway'),
    });
    if (!isConfirmed) return false;
  }
  try {
    await restore(type === 'datasource' ? { force: true } : { overwrite: true });
    return true;
  } catch (failure) {
    return failed(failure);
  }
}

function failed(failure: unknown): false {
  toastFailure(failure);
  return false;
}
