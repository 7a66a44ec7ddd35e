import type { Project } from '@platen/contract/projects';
import type { User } from '@platen/contract/users';
import { ApiFailure, getProjects } from './api.ts';
import { codeBlock, developerLinks } from './developer-links.ts';
import { announce, element } from './element.ts';
import { describeFailure } from './failure-text.ts';
import { counted } from './format.ts';
import { globe } from './globe.ts';
import { icon, mark } from './icons.ts';
import { messages } from './messages.ts';
import { projectCard } from './project-card.ts';

interface Options {
  readonly user: User;
  readonly onSignOut: () => void;
  readonly onSessionEnded: () => void;
}

const texts = messages.projects;
const pageLength = 24;
const filterFrom = 6; // fewer projects are found by eye
const typingPauseMs = 200;

/** Everything one sees after signing in. */
export function projectsPage(options: Options): HTMLElement {
  return element(
    'div',
    { class: 'shell' },
    element('a', { class: 'skip button button-primary', href: '#main' }, messages.top.skip),
    topBar(options),
    element(
      'div',
      { class: 'columns' },
      element(
        'main',
        { id: 'main', tabindex: -1 },
        element('h1', { tabindex: -1 }, texts.title),
        element('p', { class: 'muted' }, texts.subtitle),
        projectList(options),
      ),
      developerLinks(),
    ),
  );
}

function topBar({ user, onSignOut }: Options): HTMLElement {
  const signOut = element('button', { class: 'button', type: 'button' }, messages.top.signOut);
  signOut.addEventListener('click', onSignOut);
  return element(
    'header',
    { class: 'top' },
    element('a', { class: 'brand', href: '/' }, mark(28), 'Platen'),
    element('span', { class: 'who' }, user.username),
    signOut,
  );
}

function projectList({ user, onSessionEnded }: Options): HTMLElement {
  const list = element('ul', { class: 'projects' }, ...skeletons());
  const below = element('div');
  const search = element('input', { type: 'search', placeholder: texts.filter, 'aria-label': texts.filter });
  const filter = element('div', { class: 'filter', role: 'search', hidden: true }, icon('search'), search);
  let latest = 0; // answers may overtake each other

  const load = async (page: number) => {
    const mine = ++latest;
    const name = search.value.trim();
    try {
      const { items, totalCount, totalPages } = await getProjects({ page, limit: pageLength, name });
      if (mine !== latest) return;
      const cards = items.map((project) => projectCard(project, isOpen(project, totalCount)));
      if (page === 0) list.replaceChildren(...cards);
      else list.append(...cards);
      if (name === '') filter.hidden = totalCount < filterFrom;
      announce(counted(totalCount, texts.found));
      if (totalCount === 0) below.replaceChildren(name === '' ? noProjects(user) : noMatch(name));
      else below.replaceChildren(...(page + 1 < totalPages ? [moreButton(() => void load(page + 1))] : []));
      if (page > 0) cards[0]?.querySelector('button')?.focus();
    } catch (failure) {
      if (mine !== latest) return;
      if (failure instanceof ApiFailure && failure.code === 'unauthenticated') return onSessionEnded();
      if (page === 0) list.replaceChildren();
      below.replaceChildren(failureNote(failure, () => void load(page)));
    }
  };

  let pause = 0;
  search.addEventListener('input', () => {
    clearTimeout(pause);
    pause = window.setTimeout(() => void load(0), typingPauseMs);
  });
  void load(0);
  return element('div', {}, filter, list, below);
}

function isOpen({ _id }: Project, totalCount: number): boolean {
  return totalCount === 1 || location.hash === `#${_id}`;
}

function skeletons(): HTMLElement[] {
  const one = () => element('li', { class: 'card skeleton', 'aria-hidden': 'true' });
  return [element('li', { class: 'visually-hidden' }, texts.loading), one(), one(), one()];
}

function moreButton(onClick: () => void): HTMLButtonElement {
  const button = element('button', { class: 'button', type: 'button' }, texts.more);
  button.addEventListener('click', onClick);
  return button;
}

function noMatch(name: string): HTMLElement {
  return element('p', { class: 'muted' }, texts.noMatch(name));
}

function noProjects({ isSuperUser }: User): HTMLElement {
  const steps = isSuperUser
    ? [codeBlock('npm run demo'), element('p', {}, texts.emptyCurl), codeBlock(postProjectLine())]
    : [];
  return element(
    'section',
    { class: 'card empty' },
    globe({ centre: [12, 30], graticuleDegrees: 30 }),
    element(
      'div',
      {},
      element('h2', {}, texts.emptyTitle),
      element('p', {}, isSuperUser ? texts.emptyAdmin : texts.emptyUser),
      ...steps,
    ),
  );
}

function postProjectLine(): string {
  return [
    `curl ${location.origin}/api/v1/project \\`,
    '  -H "Authorization: Bearer $TOKEN" \\',
    `  --json '{"name": "Climate atlas", "description": "",`,
    `    "bbox": [5.9, 47.3, 15, 55.1]}'`,
  ].join('\n');
}

/** An error in place of what could not be loaded, with a second try. */
export function failureNote(failure: unknown, onRetry: () => void): HTMLElement {
  const retry = element('button', { class: 'button', type: 'button' }, messages.failure.retry);
  const note = element(
    'div',
    { class: 'note note-bad', role: 'alert' },
    icon('alert'),
    element('span', {}, describeFailure(failure)),
    retry,
  );
  retry.addEventListener('click', () => {
    note.remove();
    onRetry();
  });
  return note;
}
