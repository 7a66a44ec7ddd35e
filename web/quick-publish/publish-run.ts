import type { App } from '@platen/contract/apps';
import type { Datasource } from '@platen/contract/datasources';
import type { Module } from '@platen/contract/modules';
import type { Task } from '@platen/contract/tasks';

export const publishSteps = ['data', 'module', 'app', 'public'] as const;
export type PublishStep = (typeof publishSteps)[number];

/** What was created so far; kept when a step fails, so that a retry resumes there. */
export interface Made {
  readonly task?: Task | undefined;
  readonly datasource?: Datasource | undefined;
  readonly module?: Module | undefined;
  readonly app?: App | undefined;
  readonly isPublic?: boolean;
}

export interface PublishState {
  readonly made: Made;
  /** The running or failed step; undefined when all are done. */
  readonly step: PublishStep | undefined;
  readonly failure?: unknown;
}

/** Each creates one thing from those before it. */
export interface PublishActions {
  /** Creates the datasource, by a task if needed; `report` records what already exists. */
  data(made: Made, tell: (made: Partial<Made>) => void): Promise<Datasource>;
  module(datasource: Datasource): Promise<Module>;
  app(module: Module): Promise<App>;
  /** Undefined if the map stays private to its creator. */
  readonly publish: ((app: App) => Promise<App>) | undefined;
}

/** Runs the remaining steps up to the end or the first failure, and reports every state. */
export async function runPublishing(
  from: Made,
  actions: PublishActions,
  tell: (state: PublishState) => void,
): Promise<PublishState> {
  let made = from;
  const keep = (more: Partial<Made>) => (made = { ...made, ...more });
  for (const step of publishSteps) {
    if (isDone(step, made, actions)) continue;
    tell({ made, step });
    try {
      const tellMore = (more: Partial<Made>) => tell({ made: keep(more), step });
      keep(await runStep(step, { made, actions, tell: tellMore }));
    } catch (failure) {
      const state = { made, step, failure };
      tell(state);
      return state;
    }
  }
  const state = { made, step: undefined };
  tell(state);
  return state;
}

function isDone(step: PublishStep, made: Made, { publish }: PublishActions): boolean {
  if (step === 'data') return made.datasource !== undefined;
  if (step === 'public') return publish === undefined || made.isPublic === true;
  return made[step] !== undefined;
}

interface Running {
  readonly made: Made;
  readonly actions: PublishActions;
  readonly tell: (made: Partial<Made>) => void;
}

async function runStep(step: PublishStep, { made, actions, tell }: Running): Promise<Partial<Made>> {
  if (step === 'data') return { datasource: await actions.data(made, tell) };
  if (step === 'module') return { module: await actions.module(made.datasource!) };
  if (step === 'app') return { app: await actions.app(made.module!) };
  return { app: await actions.publish!(made.app!), isPublic: true };
}
