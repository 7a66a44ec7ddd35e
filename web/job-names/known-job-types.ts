import { Wrench } from '@lucide/vue';
import type { InspectedKind } from '@platen/contract/inspect';
import { jobTypes } from 'virtual:job-types';
import type { Component } from 'vue';
import { plainName } from './plain-name.ts';

/** Includes those that no task can name. */
export const jobTypeNames = Object.keys(jobTypes).map((name) => `platen${name}`);

export const iconOf = (jobType: string): Component => jobTypes[plainName(jobType)]?.icon ?? Wrench;

export const purposeOf = (jobType: string) => jobTypes[plainName(jobType)]?.purpose;

/** The job type that turns data of a kind into a map; undefined if none does. */
export function mapJobOf(kind: InspectedKind | undefined): string | undefined {
  if (kind === undefined) return undefined;
  return jobTypeNames.find((jobType) => jobTypes[plainName(jobType)]?.mapsOf?.includes(kind));
}
