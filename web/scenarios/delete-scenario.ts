import type { Scenario } from '@platen/contract/scenarios';
import { useQueryCache } from '@pinia/colada';
import { api } from '../api/api.ts';
import { toastFailure } from '../api/failure-toast.ts';
import { i18n } from '../i18n/i18n.ts';
import { refetchQueries } from '../live/refetch-queries.ts';
import { projectKey } from '../live/keys.ts';
import { offerUndo } from '../live/undo-deletion.ts';

/** Deletes a scenario without asking; it can be restored. `leave` navigates away from its page. */
export function useScenarioDeletion() {
  const cache = useQueryCache();
  return async function remove(
    { projectId, _id: scenarioId, name }: Scenario,
    leave?: () => Promise<unknown>,
  ): Promise<void> {
    const restored = () => refetchQueries(cache, projectKey(projectId, 'scenario'));
    try {
      await leave?.(); // leave first, or the page would request the deleted scenario
      await api.deleteProjectScenario({ params: { projectId, scenarioId } });
      const text = i18n.global.t('scenarios.deleted', { name });
      offerUndo({ projectId, type: 'scenario', resourceId: scenarioId, text, restored });
      await restored();
    } catch (failure) {
      toastFailure(failure);
    }
  };
}
