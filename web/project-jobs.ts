import type { Job, JobState } from '@platen/contract/jobs';
import type { ProjectSummary } from '@platen/contract/projects';
import { getProjectJobs } from './api.ts';
import { element } from './element.ts';
import { formatAge } from './format.ts';
import { loaded } from './loaded.ts';
import { messages } from './messages.ts';

const texts = messages.jobs;
const refreshMs = 2000;

const chips: Readonly<Record<JobState, string>> = {
  queued: 'chip',
  running: 'chip chip-info',
  succeeded: 'chip chip-ok',
  failed: 'chip chip-bad',
  aborted: 'chip',
  timedOut: 'chip chip-bad',
};

/** The latest jobs of a project, kept up to date while one is under way; nothing where there are none. */
export function projectJobs(projectId: string, summary: Promise<ProjectSummary>): HTMLElement {
  const place = element('div');
  void summary.then(({ jobs }) => {
    if (jobs > 0)
      place.append(
        loaded(
          texts.title,
          () => getProjectJobs(projectId),
          ({ items }) => jobList(projectId, items),
        ),
      );
  }, ignore);
  return place;
}

function jobList(projectId: string, jobs: readonly Job[]): HTMLElement[] {
  const list = element('ul', { class: 'rows' }, ...jobs.map(jobRow));
  let isUnderWay = jobs.some(isActive);
  const refresh = async () => {
    if (!list.isConnected) return;
    if (!document.hidden) {
      const { items } = await getProjectJobs(projectId);
      list.replaceChildren(...items.map(jobRow));
      isUnderWay = items.some(isActive);
    }
    if (isUnderWay) setTimeout(() => void refresh().catch(ignore), refreshMs);
  };
  if (isUnderWay) setTimeout(() => void refresh().catch(ignore), refreshMs);
  return [list];
}

/** What was shown stays: the next visit tells. */
function ignore(): void {}

function isActive({ state }: Job): boolean {
  return state === 'queued' || state === 'running';
}

function jobRow(job: Job): HTMLElement {
  const { jobType, state, progress, errorMessage, createdAt, endTime } = job;
  const phase = isActive(job) ? progress?.phase : errorMessage;
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'row-text' },
      element('strong', {}, jobType),
      phase !== undefined && element('span', { class: 'muted small' }, phase),
      state === 'running' && progress !== undefined && progress.total > 0 && bar(jobType, progress),
    ),
    element(
      'time',
      { class: 'subtle small', datetime: endTime ?? createdAt },
      formatAge(endTime ?? createdAt),
    ),
    element('span', { class: chips[state] }, texts.states[state]),
  );
}

function bar(label: string, { done, total }: { readonly done: number; readonly total: number }): HTMLElement {
  return element('progress', { max: total, value: Math.min(done, total), 'aria-label': label });
}
