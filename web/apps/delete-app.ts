import type { App } from '@platen/contract/apps';
import { useQueryCache } from '@pinia/colada';
import { api } from '../api/api.ts';
import { toastFailure } from '../api/failure-toast.ts';
import { i18n } from '../i18n/i18n.ts';
import { refetchQueries } from '../live/refetch-queries.ts';
import { projectKey } from '../live/keys.ts';
import { offerUndo } from '../live/undo-deletion.ts';
import { confirm } from '../ui/confirm.ts';

/** Deletes an app, asking first only if it is public; `leave` navigates away from its page. */
export function useAppDeletion() {
  const { t } = i18n.global;
  const cache = useQueryCache();
  return async function remove(
    { projectId, _id: appId, name, isPublic }: App,
    leave?: () => Promise<unknown>,
  ): Promise<void> {
    const question = {
      title: t('apps.deletePublic', { name }),
      text: t('apps.deletePublicText'),
      action: t('ui.delete'),
      isDangerous: true,
    };
    if (isPublic && !(await confirm(question))) return;
    const refresh = () => refetchQueries(cache, projectKey(projectId, 'app'));
    try {
      await leave?.(); // leave first, or the page would request the deleted app
      await api.deleteProjectApp({ params: { projectId, appId } });
    } catch (failure) {
      toastFailure(failure);
      return;
    }
    const text = t('apps.deleted', { name });
    offerUndo({ projectId, type: 'app', resourceId: appId, text, restored: refresh });
    await refresh();
  };
}
