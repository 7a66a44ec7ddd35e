import type { Project, ProjectSummary } from '@platen/contract/projects';
import { getProjectSummary } from './api.ts';
import { element } from './element.ts';
import { counted, formatBytes, formatNumber } from './format.ts';
import { centreOf, globe } from './globe.ts';
import { icon, type IconName } from './icons.ts';
import { messages } from './messages.ts';
import { projectApps } from './project-apps.ts';
import { projectJobs } from './project-jobs.ts';

const texts = messages.project;

/** A project: where it lies, what it is, how much it holds; below, once opened, its apps and jobs. */
export function projectCard(project: Project, isOpenAtFirst: boolean): HTMLElement {
  const { _id, name, description, bbox } = project;
  const counts = element('ul', { class: 'counts' }, element('li', { class: 'skeleton' }, '\u00a0'));
  const details = element('div', { class: 'details', id: `details-${_id}`, hidden: true });
  const toggle = element(
    'button',
    { class: 'toggle', type: 'button', 'aria-controls': details.id },
    name,
    icon('chevron'),
  );

  const summary = getProjectSummary(_id);
  summary.then(
    (it) => counts.replaceChildren(...countItems(it)),
    () => counts.replaceChildren(), // the list itself tells of an ended session or a lost connection
  );

  const setOpen = (isOpen: boolean) => {
    toggle.setAttribute('aria-expanded', String(isOpen));
    details.hidden = !isOpen;
    // always afresh: a map may have been published meanwhile
    if (isOpen) details.replaceChildren(projectApps(_id), projectJobs(_id, summary));
    else details.replaceChildren();
  };
  toggle.addEventListener('click', () => {
    const isOpen = details.hidden !== false;
    setOpen(isOpen);
    history.replaceState(null, '', isOpen ? `#${_id}` : location.pathname);
  });
  setOpen(isOpenAtFirst);

  return element(
    'li',
    { class: 'card project' },
    element(
      'div',
      { class: 'project-head' },
      globe({ centre: centreOf(bbox), graticuleDegrees: 30, bbox }),
      element(
        'div',
        { class: 'project-text' },
        element('h2', {}, toggle),
        description.trim() !== '' && element('p', { class: 'description' }, description),
      ),
      counts,
    ),
    details,
  );
}

function countItems(summary: ProjectSummary): HTMLElement[] {
  const { apps, publicApps, objects, bytes, datasources, jobs, members } = summary;
  const aside = (text: string) => element('span', { class: 'subtle' }, ` · ${text}`);
  const item = (name: IconName, text: string, more?: HTMLElement) =>
    element('li', {}, icon(name), element('span', {}, text, more));
  return [
    item(
      'app',
      counted(apps, texts.apps),
      publicApps > 0 ? aside(texts.publicApps(formatNumber(publicApps))) : undefined,
    ),
    item('file', counted(objects, texts.files), bytes > 0 ? aside(formatBytes(bytes)) : undefined),
    item('datasource', counted(datasources, texts.datasources)),
    item('job', counted(jobs, texts.jobs)),
    item('members', counted(members, texts.members)),
  ];
}
