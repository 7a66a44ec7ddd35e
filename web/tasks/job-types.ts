import {
  AppWindow,
  Database,
  Globe,
  Layers,
  Shapes,
  Stethoscope,
  TableProperties,
  Wrench,
} from '@lucide/vue';
import type { Inspection } from '@platen/contract/inspect';
import type { JobTypeSummary } from '@platen/contract/job-types';
import type { Component } from 'vue';

const purposes = ['prepare', 'fetch', 'publish', 'care'] as const;
export type Purpose = (typeof purposes)[number];

const known: Readonly<Record<string, { readonly purpose: Purpose; readonly icon: Component }>> = {
  TilesVector: { purpose: 'prepare', icon: Layers },
  ConvertVector: { purpose: 'prepare', icon: Shapes },
  FetchUrl: { purpose: 'fetch', icon: Globe },
  PublishApp: { purpose: 'publish', icon: AppWindow },
  PublishDatasource: { purpose: 'publish', icon: Database },
  PublishScenario: { purpose: 'publish', icon: TableProperties },
  CheckRunner: { purpose: 'care', icon: Stethoscope },
};

/** The name without its prefix, which carries no meaning. */
export const plainName = (jobType: string) => jobType.replace(/^[a-z][a-z0-9]*/, '');

export const iconOf = (jobType: string): Component => known[plainName(jobType)]?.icon ?? Wrench;

/** Job types by purpose; unknown ones by what they produce. */
export function groupByPurpose(
  types: readonly JobTypeSummary[],
): readonly { readonly purpose: Purpose; readonly types: readonly JobTypeSummary[] }[] {
  const purposeOf = ({ name, datasourceTypes }: JobTypeSummary) =>
    known[name]?.purpose ?? (datasourceTypes.length > 0 ? 'prepare' : 'care');
  return purposes
    .map((purpose) => ({ purpose, types: types.filter((type) => purposeOf(type) === purpose) }))
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
