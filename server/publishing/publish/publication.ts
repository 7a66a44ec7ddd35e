import type { FreeForm } from '@platen/contract/schema';
import { relativeFolder } from '../credentials/target-fields.ts';
import { invalidAt } from '../../base/failure.ts';

/** The types of resources that can be published, and the job types that do so. */
export const publishables = {
  app: { jobName: 'PublishApp', field: 'appId' },
  datasource: { jobName: 'PublishDatasource', field: 'datasourceId' },
  scenario: { jobName: 'PublishScenario', field: 'scenarioId' },
} as const;
export type Publishable = keyof typeof publishables;

export interface Publication {
  readonly type: Publishable;
  /** Id of the published resource. */
  readonly resourceId: string;
  readonly credentialsId: string;
  /** Without slashes around it; empty: where the credentials lead. */
  readonly destination: string;
  readonly numThreads: number;
  readonly gzip: boolean;
}

/** @param jobName without a prefix */
export function publishableOf(jobName: string): Publishable | undefined {
  return (Object.keys(publishables) as Publishable[]).find((type) => publishables[type].jobName === jobName);
}

/**
 * The publication described by the options of a task; undefined for other job types.
 * @throws Failure `invalid` if an id is missing or the destination is not a relative path
 */
export function publicationOf(jobName: string, options: FreeForm): Publication | undefined {
  const type = publishableOf(jobName);
  if (type === undefined) return undefined;
  const { credentialsId, destination = '', numThreads, gzip } = options as Partial<Publication>;
  const { field } = publishables[type];
  const missing = (name: string) =>
    invalidAt(`/parameters/options/${name}`, 'This field is required.', 'required');
  const resourceId = options[field] as string | undefined;
  if (resourceId === undefined) throw missing(field);
  if (credentialsId === undefined) throw missing('credentialsId');
  return {
    type,
    resourceId,
    credentialsId,
    destination: cleanDestination(destination, '/parameters/options/destination'),
    numThreads: numThreads!,
    gzip: gzip!,
  };
}

/** @throws Failure `invalid` */
export function cleanDestination(raw: string, pointer: string): string {
  return raw === '' || raw === '/' ? '' : relativeFolder(raw, pointer);
}
