import type { Schedule } from '@platen/contract/schedules';
import type { Task } from '@platen/contract/tasks';
import { useQueryCache } from '@pinia/colada';
import { api } from '../api/api.ts';
import { toastFailure } from '../api/failure-toast.ts';
import { i18n } from '../i18n/i18n.ts';
import { projectKey } from '../live/keys.ts';
import { offerUndo } from '../live/undo-deletion.ts';
import { toast } from '../ui/toasts.ts';

type TaskSummary = Pick<Task, '_id' | 'projectId' | 'name' | 'revision' | 'schedule'>;

/** Immediate actions on a task; each reports its result and resolves to whether it succeeded. */
export function useTaskActions() {
  const cache = useQueryCache();
  const { t } = i18n.global;

  const renew = (projectId: string) =>
    Promise.all([
      cache.invalidateQueries({ key: projectKey(projectId, 'task') }),
      cache.invalidateQueries({ key: projectKey(projectId, 'job') }),
    ]);

  async function attempt({ projectId }: TaskSummary, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      void renew(projectId);
      return true;
    } catch (failure) {
      toastFailure(failure);
      return false;
    }
  }
  const params = ({ projectId, _id }: TaskSummary) => ({ projectId, taskId: _id });

  return {
    run: (task: TaskSummary) =>
      attempt(task, async () => {
        await api.postProjectTaskRun({ params: params(task) });
        toast(t('tasks.started', { name: task.name }));
      }),
    suspend: (task: TaskSummary, suspended: boolean) =>
      attempt(task, async () => {
        const { suspended: _suspended, ...rest } = task.schedule;
        const schedule: Schedule = suspended ? { ...rest, suspended } : rest;
        await api.putProjectTask({
          params: params(task),
          body: { schedule },
          headers: { 'if-match': `"${task.revision}"` },
        });
        toast(t(suspended ? 'tasks.nowRests' : 'tasks.nowRuns', { name: task.name }));
      }),
    remove: (task: TaskSummary) =>
      attempt(task, async () => {
        await api.deleteProjectTask({ params: params(task) });
        offerUndo({
          projectId: task.projectId,
          type: 'task',
          resourceId: task._id,
          text: t('tasks.deleted', { name: task.name }),
          restored: () => renew(task.projectId),
        });
      }),
  };
}
