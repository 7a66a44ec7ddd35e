import type { DataBucket } from '@platen/contract/buckets';
import { api } from '../api/api.ts';
import { toastFailure } from '../api/failure-toast.ts';
import { formatBytes, formatNumber } from '../i18n/format.ts';
import { i18n } from '../i18n/i18n.ts';
import { offerUndo } from '../live/undo-deletion.ts';
import { confirm } from '../ui/confirm.ts';
import { deleteWithUses } from '../used-by/delete-with-uses.ts';

/**
 * Moves a data bucket with its content to the trash after a confirmation; it can be restored. @returns whether it is
 * gone
 */
export async function removeBucket(projectId: string, { _id, name }: DataBucket): Promise<boolean> {
  const { t } = i18n.global;
  const params = { projectId, dataBucketId: _id };
  try {
    const { dataBuckets } = await api.getProjectUsage({ params: { projectId } });
    const { objects = 0, bytes = 0 } = dataBuckets.find((one) => one.dataBucketId === _id)?.current ?? {};
    const isConfirmed = await confirm({
      title: t('objects.buckets.deleteTitle', { name }),
      text: t('objects.buckets.deleteText', { n: formatNumber(objects), size: formatBytes(bytes) }, objects),
      action: t('ui.delete'),
      isDangerous: true,
    });
    if (!isConfirmed) return false;
  } catch (failure) {
    toastFailure(failure);
    return false;
  }
  const isGone = await deleteWithUses({
    name,
    remove: (force) => api.deleteProjectDataBucket({ params, query: { force } }),
    uses: async () => (await api.getProjectDataBucketUsedBy({ params, query: { limit: 1000 } })).items,
  });
  if (isGone) {
    const text = t('objects.deleted', { name });
    offerUndo({ projectId, type: 'data-bucket', resourceId: _id, text });
  }
  return isGone;
}
