import type { JobType, JobTypeSummary } from '@platen/contract/job-types';
import type { FreeForm, Page } from '@platen/contract/schema';
import { findTaskSpec, taskSpecs } from '@platen/processing/catalog';
import { datasourceTypesOf, type TaskSpec } from '@platen/processing/job-type';
import { notFound } from '../../base/failure.ts';
import { parametersSchema } from './parameters-schema.ts';

export function listJobTypes(): Page<JobTypeSummary> {
  const items = taskSpecs().map(summaryOf);
  return { items, limit: items.length, page: 0, totalCount: items.length, totalPages: 1 };
}

export function getJobType(jobType: string): JobType {
  const spec = findTaskSpec(jobType);
  if (!spec) throw notFound('job type');
  const parameters = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: spec.title,
    description: spec.description,
    ...(parametersSchema(spec) as unknown as FreeForm),
  };
  return { ...summaryOf(spec), parameters };
}

function summaryOf(spec: TaskSpec): JobTypeSummary {
  const { name, title, description, version, permission, datasourceType } = spec;
  const datasourceTypes = [...datasourceTypesOf(spec)];
  return {
    jobType: `platen${name}`,
    name,
    title,
    description,
    version,
    permission,
    ...(datasourceType !== undefined && { datasourceType }),
    datasourceTypes,
    furtherDatasourceTypes: [...(spec.furtherDatasourceTypes ?? [])],
  };
}
