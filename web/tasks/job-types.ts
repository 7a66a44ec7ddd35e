import type { Inspection } from '@platen/contract/inspect';
import type { JobTypeSummary } from '@platen/contract/job-types';
import { purposeOf } from '../job-names/known-job-types.ts';
import { plainName } from '../job-names/plain-name.ts';

const purposes = ['prepare', 'fetch', 'publish', 'care'] as const;
type Purpose = (typeof purposes)[number];

/** Job types by purpose; unknown ones by what they produce. */
export function groupByPurpose(
  types: readonly JobTypeSummary[],
): readonly { readonly purpose: Purpose; readonly types: readonly JobTypeSummary[] }[] {
  const groupOf = ({ name, datasourceTypes }: JobTypeSummary) =>
    purposeOf(name) ?? (datasourceTypes.length > 0 ? 'prepare' : 'care');
  return purposes
    .map((purpose) => ({ purpose, types: types.filter((type) => groupOf(type) === purpose) }))
    .filter((group) => group.types.length > 0);
}

/** The job types for a file, the most suitable first; if the file is unknown, all that produce data. */
export function typesFor(
  types: readonly JobTypeSummary[],
  inspection: Pick<Inspection, 'uses' | 'suggestion'> | undefined,
): readonly JobTypeSummary[] {
  const preferred = [
    inspection?.suggestion?.jobType,
    ...(inspection?.uses ?? [])
      .filter(({ kind }) => kind === 'job')
      .toSorted((a, b) => b.confidence - a.confidence)
      .map(({ type }) => type),
  ];
  const names = [...new Set(preferred.flatMap((one) => (one === undefined ? [] : plainName(one))))];
  const found = names.flatMap((name) => types.find((type) => type.name === name) ?? []);
  return found.length > 0 ? found : types.filter(({ datasourceTypes }) => datasourceTypes.length > 0);
}
