import type { App } from '@platen/contract/apps';
import { getProjectApps } from './api.ts';
import { codeBlock } from './developer-links.ts';
import { element } from './element.ts';
import { formatNumber } from './format.ts';
import { icon } from './icons.ts';
import { loaded } from './loaded.ts';
import { messages } from './messages.ts';

const texts = messages.apps;

/** The apps of a project, each with the way to its map. */
export function projectApps(projectId: string): HTMLElement {
  return loaded(
    texts.title,
    () => getProjectApps(projectId),
    ({ items, totalCount }) => {
      if (items.length === 0)
        return [element('p', { class: 'muted' }, texts.empty), codeBlock('npm run demo')];
      const left = totalCount - items.length;
      return [
        element('ul', { class: 'rows' }, ...items.map(appRow)),
        ...(left > 0 ? [element('p', { class: 'muted small' }, texts.more(formatNumber(left)))] : []),
      ];
    },
  );
}

function appRow({ name, description, isPublic, mapVersion, url }: App): HTMLElement {
  const facts = [description, mapVersion && texts.viewer(mapVersion)].filter(Boolean).join(' · ');
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'row-text' },
      element('strong', {}, name),
      element('span', { class: 'muted small' }, facts),
    ),
    element(
      'span',
      { class: isPublic ? 'chip chip-ok' : 'chip' },
      icon(isPublic ? 'world' : 'lock'),
      isPublic ? texts.isPublic : texts.isPrivate,
    ),
    element(
      'a',
      { class: 'button button-primary button-small', href: url, 'aria-label': texts.openNamed(name) },
      texts.open,
      icon('open'),
    ),
  );
}
