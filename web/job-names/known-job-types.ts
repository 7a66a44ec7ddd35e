import { Wrench } from '@lucide/vue';
import type { Inspection } from '@platen/contract/inspect';
import { jobTypes } from 'virtual:job-types';
import type { Component } from 'vue';
import { plainName } from './plain-name.ts';

/** Includes those that no task can name. */
export const jobTypeNames = Object.keys(jobTypes).map((name) => `platen${name}`);

export const iconOf = (jobType: string): Component => jobTypes[plainName(jobType)]?.icon ?? Wrench;

export const purposeOf = (jobType: string) => jobTypes[plainName(jobType)]?.purpose;

/** The job type that turns the data into a map, the one that suits it best; undefined if none does. */
export function mapJobOf(inspection: Pick<Inspection, 'kind' | 'uses'> | undefined): string | undefined {
  const { kind, uses = [] } = inspection ?? {};
  if (kind === undefined) return undefined;
  const makers = jobTypeNames.filter((jobType) => jobTypes[plainName(jobType)]?.mapsOf?.includes(kind));
  return uses.find(({ type }) => makers.includes(type))?.type ?? makers[0];
}
