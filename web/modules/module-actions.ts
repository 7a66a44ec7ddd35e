import { moduleServiceSet, type Module } from '@platen/contract/modules';
import { RequestFailed } from '@platen/client/client';
import { useQueryCache } from '@pinia/colada';
import type { Ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { useRoute, useRouter } from 'vue-router';
import { api } from '../api/api.ts';
import { toastFailure } from '../api/failure-toast.ts';
import { projectKey } from '../live/keys.ts';
import { offerUndo } from '../live/undo-deletion.ts';
import { confirm } from '../ui/confirm.ts';

const ofService = new Set(moduleServiceSet);

/** A module without the fields that the service sets, in the order of its keys. */
export const withoutStamps = (module: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(module).filter(([key]) => !ofService.has(key)));

/** The actions on a whole module. */
export function useModuleActions(projectId: Readonly<Ref<string>>) {
  const { t } = useI18n();
  const router = useRouter();
  const route = useRoute();
  const cache = useQueryCache();
  const params = (moduleId: string) => ({ projectId: projectId.value, moduleId });
  const refresh = () => cache.invalidateQueries({ key: projectKey(projectId.value, 'module') });

  async function duplicate(moduleId: string): Promise<void> {
    try {
      const module = await api.getProjectModule({ params: params(moduleId) });
      const body = {
        ...withoutStamps(module),
        name: t('modules.copyOf', { name: module.name }).slice(0, 256),
      };
      const { _id } = await api.postProjectModule({ params: { projectId: projectId.value }, body });
      await refresh();
      await router.push({ name: 'module', params: { ...route.params, moduleId: _id } });
    } catch (failure) {
      toastFailure(failure);
    }
  }

  /** Downloads JSON that can be uploaded again as a module. */
  function download(name: string, content: object): void {
    const blob = new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${name.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'module'}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  const uses = async (moduleId: string) =>
    (await api.getProjectModuleUsedBy({ params: params(moduleId), query: { limit: 1000 } })).items;

  /** Moves a module to the trash, after a confirmation that lists the apps that contain it. */
  async function remove({ _id, name }: Pick<Module, '_id' | 'name'>, isOpen = false): Promise<void> {
    const send = (force: boolean) =>
      api.deleteProjectModule({ params: params(_id), query: force ? { force } : {} });
    try {
      await send(false).catch(async (failure: unknown) => {
        if (!(failure instanceof RequestFailed) || failure.code !== 'conflict') throw failure;
        const items = (await uses(_id)).map((use) => use.name);
        const action = t('modules.deleteAnyway');
        const title = t('modules.inUse', { name });
        if (await confirm({ title, text: t('modules.inUseText'), items, action, isDangerous: true }))
          await send(true);
        else throw new DeletionDeclined();
      });
      if (isOpen) await router.push({ name: 'modules', params: { projectId: projectId.value } });
      await refresh();
      offerUndo({
        projectId: projectId.value,
        type: 'module',
        resourceId: _id,
        text: t('modules.deleted', { name }),
        restored: refresh,
      });
    } catch (failure) {
      if (!(failure instanceof DeletionDeclined)) toastFailure(failure);
    }
  }

  return { duplicate, download, remove, refresh };
}

/** Thrown when the user declined the deletion. */
class DeletionDeclined extends Error {}
