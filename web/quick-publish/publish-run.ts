import type { App } from '@platen/contract/apps';
import type { Datasource } from '@platen/contract/datasources';
import type { Module } from '@platen/contract/modules';
import type { Task } from '@platen/contract/tasks';

export const publishSteps = ['data', 'module', 'app', 'public'] as const;
export type PublishStep = (typeof publishSteps)[number];

/** What was created so far; kept when a step fails, so that a retry resumes there. */
export interface Created {
  readonly task?: Task | undefined;
  readonly datasource?: Datasource | undefined;
  readonly module?: Module | undefined;
  readonly app?: App | undefined;
  readonly isPublic?: boolean;
}

export interface PublishState {
  readonly created: Created;
  /** The running or failed step; undefined when all are done. */
  readonly step: PublishStep | undefined;
  readonly failure?: unknown;
}

/** Each creates one thing from those before it. */
export interface PublishActions {
  /** Creates the datasource, by a task if needed; `report` records what already exists. */
  data(created: Created, report: (created: Partial<Created>) => void): Promise<Datasource>;
  module(datasource: Datasource): Promise<Module>;
  app(module: Module): Promise<App>;
  /** Undefined if the map stays private to its creator. */
  readonly publish: ((app: App) => Promise<App>) | undefined;
}

/** Runs the remaining steps up to the end or the first failure, and reports every state. */
export async function runPublishing(
  from: Created,
  actions: PublishActions,
  report: (state: PublishState) => void,
): Promise<PublishState> {
  let created = from;
  const keep = (more: Partial<Created>) => (created = { ...created, ...more });
  for (const step of publishSteps) {
    if (isDone(step, created, actions)) continue;
    report({ created, step });
    try {
      const reportMore = (more: Partial<Created>) => report({ created: keep(more), step });
      keep(await runStep(step, { created, actions, report: reportMore }));
    } catch (failure) {
      const state = { created, step, failure };
      report(state);
      return state;
    }
  }
  const state = { created, step: undefined };
  report(state);
  return state;
}

function isDone(step: PublishStep, created: Created, { publish }: PublishActions): boolean {
  if (step === 'data') return created.datasource !== undefined;
  if (step === 'public') return publish === undefined || created.isPublic === true;
  return created[step] !== undefined;
}

interface StepContext {
  readonly created: Created;
  readonly actions: PublishActions;
  readonly report: (created: Partial<Created>) => void;
}

async function runStep(
  step: PublishStep,
  { created, actions, report }: StepContext,
): Promise<Partial<Created>> {
  if (step === 'data') return { datasource: await actions.data(created, report) };
  if (step === 'module') return { module: await actions.module(created.datasource!) };
  if (step === 'app') return { app: await actions.app(created.module!) };
  return { app: await actions.publish!(created.app!), isPublic: true };
}
