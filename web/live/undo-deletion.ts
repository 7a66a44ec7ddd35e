import type { TrashItem } from '@platen/contract/trash';
import { api } from '../api/api.ts';
import { toastFailure } from '../api/failure-toast.ts';
import { i18n } from '../i18n/i18n.ts';
import { toast } from '../ui/toasts.ts';

interface DeletedResource {
  readonly projectId: string;
  readonly type: TrashItem['type'];
  /** Id of the deleted resource. */
  readonly resourceId: string;
  /** The toast's text: “App deleted”. */
  readonly text: string;
  /** Called after the resource is restored. */
  readonly restored?: () => unknown;
}

/** Reports a deletion in a toast that offers Undo for eight seconds. */
export function offerUndo({ projectId, type, resourceId, text, restored }: DeletedResource): void {
  const run = async () => {
    try {
      const query = { type: [type], orderBy: ['createdAt' as const], sort: 'desc' as const, limit: 100 };
      const { items } = await api.getProjectTrash({ params: { projectId }, query });
      const item = items.find((one) => one.resourceId === resourceId);
      if (!item) throw new Error(`Not in the trash: ${type} ${resourceId}`);
      await api.postProjectTrashItemRestore({ params: { projectId, trashId: item._id } });
      await restored?.();
    } catch (failure) {
      toastFailure(failure);
    }
  };
  toast(text, { action: { label: i18n.global.t('ui.undo'), run } });
}
