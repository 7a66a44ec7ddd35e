import type { JobState } from '@platen/contract/jobs';
import { i18n } from '../i18n/i18n.ts';
import { plainName } from './plain-name.ts';

// separate from the other texts of jobs, because the frame of every page names running jobs
const { t } = i18n.global;

/** What a job type does: “Make vector tiles”. */
export function jobTypeName(jobType: string): string {
  const key = `job-names.types.${plainName(jobType)}`;
  return i18n.global.te(key) ? t(key) : jobType;
}

export const stateName = (state: JobState) => t(`job-names.states.${state}`);
