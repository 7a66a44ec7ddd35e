import type { App } from '@platen/contract/apps';
import { firstBaseMaps, worldNames } from '@platen/contract/base-maps';
import type { Datasource } from '@platen/contract/datasources';
import type { Job } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import type { Task } from '@platen/contract/tasks';
import { defaultCard } from '@platen/styles/default-card';
import { computed, reactive, shallowReactive } from 'vue';
import { api } from '../api/api.ts';
import { i18n } from '../i18n/i18n.ts';
import { shareOf } from '../live/progress.ts';
import { reportActivities, type Activity } from '../page/activities.ts';
import { toast } from '../ui/toasts.ts';
import { firstStyle } from '../map-styles/first-style.ts';
import { withoutOfferedStyle } from '../map-styles/offered-style.ts';
import { objectTypes } from '../map-styles/styled-types.ts';
import { styledDataOf } from '../map-styles/use-styled-data.ts';
import { hasFarLabels } from './far-labels.ts';
import { addToApp, joinedMapOf } from './join-map.ts';
import { addedModule, mapModule } from './map-module.ts';
import type { DataPlan } from './plan.ts';
import { sourceOf } from './source-of.ts';
import { runPublishing, type Created, type PublishActions, type PublishState } from './publish-run.ts';

/** The job that prepares the data did not succeed. */
export class JobEnded extends Error {
  readonly job: Pick<Job, '_id' | 'state' | 'errorMessage'>;

  constructor(job: Pick<Job, '_id' | 'state' | 'errorMessage'>) {
    super(job.errorMessage ?? job.state);
    this.job = job;
  }
}

/** A run from data to a map; it continues when its dialog is closed. */
export interface Publish {
  readonly projectId: string;
  readonly name: string;
  readonly isForAll: boolean;
  readonly plan: DataPlan | undefined;
  /** The map to which the data is added; undefined: a new one. */
  readonly joins: App | undefined;
  /** Whom the map names as the source of the data; empty: nobody else than the data do. */
  readonly source: string;
  /** The attribute that its preview was coloured by, empty for none; undefined if there was no choice. */
  readonly colouredBy: string | undefined;
  state: PublishState;
  /** The progress of the job that prepares the data. */
  share: number | undefined;
  phase: string | undefined;
  /** Whether its dialog is open. */
  isWatched: boolean;
}

const running = shallowReactive(new Set<Publish>());
reportActivities(
  'quick-publish',
  computed((): Activity[] =>
    [...running].map(({ projectId, name, share, state }) => ({
      id: `publish ${projectId} ${name}`,
      name,
      share: state.step === 'data' ? share : undefined,
      to: { name: 'apps', params: { projectId } },
    })),
  ),
);

interface PublishOptions {
  readonly projectId: string;
  readonly name: string;
  readonly isForAll: boolean;
  /** How to create the datasource; absent if it exists already. */
  readonly plan: DataPlan | undefined;
  readonly joins: App | undefined;
  readonly source: string;
  readonly colouredBy?: string | undefined;
  readonly datasource?: Datasource | undefined;
}

export function startPublish({ datasource, ...start }: PublishOptions): Publish {
  const created: Created = datasource ? { datasource } : {};
  const publish = reactive({
    colouredBy: undefined,
    ...start,
    state: { created, step: datasource ? ('module' as const) : ('data' as const) },
    share: undefined,
    phase: undefined,
    isWatched: true,
  }) as Publish;
  void resumePublish(publish);
  return publish;
}

/** Resumes at the failed step. */
export async function resumePublish(publish: Publish): Promise<void> {
  running.add(publish);
  const end = await runPublishing(
    publish.state.created,
    actionsOf(publish),
    (state) => (publish.state = state),
  );
  running.delete(publish);
  if (!publish.isWatched) reportEnd(publish, end);
}

function reportEnd({ name }: Publish, { created, failure }: PublishState): void {
  const { t } = i18n.global;
  if (failure !== undefined) return void toast(t('quick-publish.failedToast', { name }), { tone: 'failed' });
  const address = created.app?.url;
  toast(t('quick-publish.doneToast', { name }), {
    action: {
      label: t('quick-publish.openMap'),
      run: () => address !== undefined && window.open(address, '_blank', 'noopener'),
    },
  });
}

function actionsOf(publish: Publish): PublishActions {
  const { projectId, name, isForAll, plan, joins, source, colouredBy } = publish;
  const params = { projectId };
  return {
    async data(created, report) {
      if (plan!.way === 'datasource') return api.postProjectDatasource({ params, body: plan!.body });
      const task = created.task
        ? await runAgain(created.task)
        : await api.postProjectTask({ params, body: plan!.body });
      report({ task });
      const datasourceId = await dataOfJob(publish, task.lastJobId!);
      return api.getProjectDatasource({ params: { projectId, datasourceId } });
    },
    async module(datasource) {
      const described = await describe(datasource, source, plan?.way === 'task' ? plan.properties : {});
      const layer = await api.getProjectDatasourceConfig({
        params: { projectId, datasourceId: datasource._id },
      });
      const data = await styledDataOf(datasource);
      const style = firstStyle(described, layer, data, colouredBy);
      const card = defaultCard(data.attributes);
      const shown = objectTypes.has(datasource.type) ? withoutOfferedStyle(layer, datasource) : layer;
      const options = { name, datasource: described, layer: shown, card, ...(style && { style }) };
      const body = joins ? addedModule(options, await joinedMapOf(joins, datasource)) : mapModule(options);
      return api.postProjectModule({ params, body: body as never });
    },
    async app(module) {
      if (joins) return addToApp(joins, module._id);
      const { items } = await api.getMapVersions();
      const [newest] = items;
      const mapVersion = newest && { mapVersion: `^${newest.version}` };
      const { items: offered } = await api.getProjectBaseMaps({ params });
      const baseMaps = firstBaseMaps(offered).filter((id) => id !== worldNames || !hasFarLabels(module));
      const body = { name, moduleIds: [module._id], baseMaps, ...mapVersion };
      return api.postProjectApp({ params, body });
    },
    publish:
      isForAll && !joins
        ? (app: App) => api.putProjectAppPublic({ params: { projectId, appId: app._id } })
        : undefined,
  };
}

/** Writes to the data what is known of them: their source, from which it follows to each layer, and where a map starts. */
async function describe(
  { projectId, _id: datasourceId }: Datasource,
  source: string,
  found: FreeForm,
): Promise<Datasource> {
  const params = { projectId, datasourceId };
  const datasource = await api.getProjectDatasource({ params });
  const named = source === '' || source === sourceOf(datasource) ? {} : { attribution: source };
  const more = { ...found, ...named };
  if (Object.keys(more).length === 0) return datasource;
  const properties = { ...datasource.properties, ...more };
  return api.putProjectDatasource({ params, body: { properties } });
}

/** Runs a task whose job has failed again; waits for one that is still running. */
async function runAgain({ projectId, _id: taskId, lastJobId }: Task): Promise<Task> {
  const { state } = await api.getProjectJob({ params: { projectId, jobId: lastJobId! } });
  if (state === 'failed' || state === 'aborted' || state === 'timedOut')
    await api.postProjectTaskRun({ params: { projectId, taskId } });
  return api.getProjectTask({ params: { projectId, taskId } });
}

/** Follows the job to its end. @returns the id of the created datasource; @throws JobEnded */
async function dataOfJob(publish: Publish, jobId: string): Promise<string> {
  const params = { projectId: publish.projectId, jobId };
  for await (const event of api.getProjectJobEvents({ params })) {
    if (event.event === 'job' || event.event === 'change')
      reportProgress(publish, event.data.progress ?? undefined);
  }
  const job = await api.getProjectJob({ params });
  const output = job.outputItems.find(({ type }) => type === 'datasource');
  if (job.state !== 'succeeded' || output?.datasourceId === undefined) throw new JobEnded(job);
  return output.datasourceId;
}

function reportProgress(publish: Publish, progress: Job['progress']): void {
  if (!progress) return;
  publish.share = shareOf(progress);
  publish.phase = progress.phase;
}

/** Deletes what was created, newest first; files stay. @throws RequestFailed */
export async function removeCreated({ projectId, state, plan, joins }: Publish): Promise<void> {
  const { app, module, datasource, task } = state.created;
  const params = { projectId };
  if (app && !joins) await api.deleteProjectApp({ params: { ...params, appId: app._id } });
  if (module)
    await api.deleteProjectModule({
      params: { ...params, moduleId: module._id },
      query: { ...(joins && { force: true }) },
    });
  if (datasource && plan)
    await api.deleteProjectDatasource({ params: { ...params, datasourceId: datasource._id }, query: {} });
  if (task) await api.deleteProjectTask({ params: { ...params, taskId: task._id } });
}
