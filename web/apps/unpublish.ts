import type { App } from '@platen/contract/apps';
import { useQueryCache } from '@pinia/colada';
import { api } from '../api/api.ts';
import { toastFailure } from '../api/failure-toast.ts';
import { i18n } from '../i18n/i18n.ts';
import { refetchQueries } from '../live/refetch-queries.ts';
import { projectKey } from '../live/keys.ts';
import { confirm } from '../ui/confirm.ts';
import { toast } from '../ui/toasts.ts';
import { mapAddress } from './app-state.ts';

/** Makes an app private, or cancels its scheduled publication, after a confirmation. Resolves to whether it did. */
export function useUnpublishing() {
  const { t } = i18n.global;
  const cache = useQueryCache();
  return async function unpublish(app: App): Promise<boolean> {
    const { projectId, _id: appId, name, isPublic } = app;
    const address = mapAddress(app, location.origin);
    const question = {
      title: isPublic ? t('apps.unpublishTitle', { name }) : t('apps.unscheduleTitle', { name }),
      items: isPublic
        ? [
            t('apps.unpublishLinks', { address }),
            t('apps.unpublishData'),
            t('apps.unpublishFrames'),
            t('apps.unpublishStays'),
          ]
        : [t('apps.unscheduleText'), t('apps.unpublishStays')],
      action: isPublic ? t('apps.unpublish') : t('apps.unschedule'),
      isDangerous: true,
    };
    if (!(await confirm(question))) return false;
    try {
      await api.deleteProjectAppPublic({ params: { projectId, appId } });
      toast(t('apps.unpublished', { name }));
      return true;
    } catch (failure) {
      toastFailure(failure);
      return false;
    } finally {
      await refetchQueries(cache, projectKey(projectId, 'app'));
    }
  };
}
