import { copyScript } from '@platen/viewer/copy-script';
import { escapeHtml } from '@platen/viewer/escape-html';
import type { Language } from '@platen/viewer/page';
import type { Link } from './links.ts';
import { texts } from './texts.ts';

const style = `
  :root { color-scheme: light dark; --canvas: #f4f7f7; --surface: #fff; --sunken: #ecf1f1; --line: #dde5e6; --ink: #10242a;
    --muted: #4b6068; --accent: #0e6b78; --accent-ink: #fff; --accent-text: #0b5f6b; }
  @media (prefers-color-scheme: dark) { :root { --canvas: #0b1316; --surface: #111c20; --sunken: #0d171a; --line: #203036;
    --ink: #e8f0f1; --muted: #a9bbc0; --accent: #147a87; --accent-text: #6fd2dd; } }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 32px 16px 64px; background: var(--canvas); color: var(--ink); font: 15px/1.5 ui-sans-serif, system-ui, "Segoe UI", sans-serif; }
  main { max-width: 760px; margin: 0 auto; }
  h1 { margin: 0; font-size: 24px; line-height: 1.25; font-weight: 650; overflow-wrap: anywhere; }
  .lead { margin: 8px 0 24px; color: var(--muted); overflow-wrap: anywhere; }
  section { margin-top: 12px; padding: 14px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
  h2 { margin: 0 0 8px; font-size: 15px; font-weight: 600; }
  .copyable { display: flex; gap: 8px; align-items: flex-start; margin-top: 8px; }
  code { flex: 1; min-width: 0; padding: 7px 10px; border-radius: 8px; background: var(--sunken); overflow-wrap: anywhere; user-select: all;
    font: 13px/1.5 ui-monospace, SFMono-Regular, "Cascadia Mono", "Liberation Mono", monospace; }
  a { color: var(--accent-text); }
  button { flex: none; min-height: 34px; padding: 6px 12px; border: 0; border-radius: 8px; background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 550; cursor: pointer; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .note { margin: 8px 0 0; color: var(--muted); font-size: 13px; }
  @media (max-width: 480px) { .copyable { flex-direction: column; } .copyable code, button { width: 100%; } }`;

/** Allows only the one script that the page names, and the styles in it. */
export const openPolicy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

interface OpenPageContent {
  readonly name: string;
  readonly description: string;
  readonly links: readonly Link[];
  /** Nonce of the policy. */
  readonly nonce: string;
}

/** The page with the addresses of a datasource, to be copied into other programs. */
export function openPage(language: Language, { name, description, links, nonce }: OpenPageContent): string {
  const { page } = texts[language];
  const rows = links.filter(({ kind }) => kind !== 'page').map((link) => section(language, link));
  const about = description === '' ? '' : `<p class="lead">${escapeHtml(description)}</p>\n`;
  return layOut(
    language,
    escapeHtml(name) || '–',
    `${about}<p class="lead">${page.lead}</p>
${rows.length > 0 ? rows.join('\n') : `<p>${page.nothing}</p>`}
<p role="status" class="note"></p>
<script type="module" nonce="${nonce}" src="${copyScript().path}"></script>`,
  );
}

export function missingPage(language: Language): string {
  const { page } = texts[language];
  return layOut(
    language,
    page.missing,
    `<p class="lead">${page.missingText}</p>\n<p><a href="/">Platen</a></p>`,
  );
}

function section(language: Language, { kind, url, command, notes }: Link): string {
  const { titles, notes: words } = texts[language];
  const text = command ?? url;
  const isLink = command === undefined && (kind === 'qgis' || kind === 'qgisWmts');
  const code = `<code>${escapeHtml(text)}</code>`;
  const save = isLink
    ? `<p class="note"><a href="${escapeHtml(url)}" download>${escapeHtml(url.slice(url.lastIndexOf('/') + 1))}</a></p>`
    : '';
  const note =
    notes.length === 0 ? '' : `<p class="note">${notes.map((one) => escapeHtml(words[one])).join(' ')}</p>`;
  return `<section><h2>${escapeHtml(titles[kind])}</h2><div class="copyable">${code}</div>${save}${note}</section>`;
}

/** Title and markup are safe already. */
function layOut(language: Language, title: string, markup: string): string {
  const { copy, copied } = texts[language].page;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta name="theme-color" content="#0e6b78">
<style>${style}
</style>
</head>
<body data-copy="${copy}" data-copied="${copied}">
<main>
<h1>${title}</h1>
${markup}
</main>
</body>
</html>
`;
}
