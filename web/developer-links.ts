import { announce, element } from './element.ts';
import { icon, type IconName } from './icons.ts';
import { messages } from './messages.ts';

const texts = messages.developers;

interface DocsPage {
  readonly path: string;
  readonly title: string;
}

/** The way to the API, its description and the documentation. */
export function developerLinks(): HTMLElement {
  const docs = element('div');
  void fetchDocs().then((pages) => {
    if (pages.length > 0) docs.append(docsList(pages));
  });
  return element(
    'aside',
    { class: 'developers', 'aria-labelledby': 'developers' },
    element('h2', { id: 'developers' }, texts.title),
    element(
      'ul',
      { class: 'card links' },
      element('li', {}, link('compass', '/apidoc/v1/', texts.explorer, texts.explorerText)),
      element('li', {}, link('braces', '/apidoc/v1/openapi.json', texts.document, texts.documentText)),
    ),
    docs,
    element('h3', {}, texts.firstSteps),
    element('p', { class: 'muted small' }, texts.token),
    codeBlock(firstSteps()),
  );
}

function link(name: IconName, href: string, title: string, text: string): HTMLElement {
  return element(
    'a',
    { href },
    element('span', { class: 'tile' }, icon(name)),
    element('span', {}, element('strong', {}, title), element('span', { class: 'muted small' }, text)),
  );
}

async function fetchDocs(): Promise<readonly DocsPage[]> {
  try {
    const pages = (await (await fetch('/docs/index.json')).json()) as DocsPage[];
    return pages.filter(({ path }) => !path.includes('/')); // the records of decisions are for who works on the code
  } catch {
    return []; // the page serves without them
  }
}

function docsList(pages: readonly DocsPage[]): HTMLElement {
  return element(
    'section',
    { 'aria-labelledby': 'docs' },
    element('h3', { id: 'docs' }, texts.docs),
    element(
      'ul',
      { class: 'card docs', lang: 'en' },
      ...pages.map(({ path, title }) =>
        element('li', {}, element('a', { href: `/docs/${path}` }, icon('book'), title)),
      ),
    ),
  );
}

function firstSteps(): string {
  const api = `${location.origin}/api/v1`;
  return [
    `API=${api}`,
    'curl $API/login \\',
    '  -d username=… -d password=…',
    '',
    'TOKEN=…   # from the answer',
    'curl $API/projects \\',
    '  -H "Authorization: Bearer $TOKEN"',
  ].join('\n');
}

/** Lines for a terminal; with a button that copies them where the browser allows that. */
export function codeBlock(lines: string): HTMLElement {
  const block = element(
    'div',
    { class: 'code' },
    element('pre', { tabindex: 0 }, element('code', {}, lines)),
  );
  const clipboard = navigator.clipboard as Clipboard | undefined; // absent where the connection is not secure
  if (clipboard === undefined) return block;
  const label = { 'aria-label': texts.copy, title: texts.copy };
  const button = element('button', { class: 'icon-button', type: 'button', ...label }, icon('copy'));
  const confirm = () => {
    button.replaceChildren(icon('check'));
    announce(texts.copied);
    setTimeout(() => button.replaceChildren(icon('copy')), 2000);
  };
  // refused by the browser: the lines can still be selected
  button.addEventListener('click', () => void clipboard.writeText(lines).then(confirm, () => undefined));
  block.append(button);
  return block;
}
