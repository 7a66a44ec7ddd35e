import type { Publication, Publications } from '@platen/contract/publish';
import type { Task } from '@platen/contract/tasks';
import { api } from '../api/api.ts';
import type { Topic } from '../live/keys.ts';

/** The kinds of resources that can be published to a destination. */
export type Publishable = 'app' | 'datasource' | 'scenario';

interface Operations {
  readonly topic: Topic;
  list(projectId: string, id: string): Promise<Publications>;
  publish(projectId: string, id: string, body: Publication): Promise<Task>;
  end(projectId: string, id: string, taskId: string): Promise<unknown>;
}

export const publications: Readonly<Record<Publishable, Operations>> = {
  app: {
    topic: 'app',
    list: (projectId, appId) => api.getProjectAppPublish({ params: { projectId, appId } }),
    publish: (projectId, appId, body) => api.putProjectAppPublish({ params: { projectId, appId }, body }),
    end: (projectId, appId, taskId) =>
      api.deleteProjectAppPublishTasks({ params: { projectId, appId }, query: { taskId } }),
  },
  datasource: {
    topic: 'datasource',
    list: (projectId, datasourceId) =>
      api.getProjectDatasourcePublish({ params: { projectId, datasourceId } }),
    publish: (projectId, datasourceId, body) =>
      api.putProjectDatasourcePublish({ params: { projectId, datasourceId }, body }),
    end: (projectId, datasourceId, taskId) =>
      api.deleteProjectDatasourcePublishTasks({ params: { projectId, datasourceId }, query: { taskId } }),
  },
  scenario: {
    topic: 'scenario',
    list: (projectId, scenarioId) => api.getProjectScenarioPublish({ params: { projectId, scenarioId } }),
    publish: (projectId, scenarioId, body) =>
      api.putProjectScenarioPublish({ params: { projectId, scenarioId }, body }),
    end: (projectId, scenarioId, taskId) =>
      api.deleteProjectScenarioPublishTasks({ params: { projectId, scenarioId }, query: { taskId } }),
  },
};
