import { escapeHtml } from './escape-html.ts';
import { mapTypeface } from './font-file.ts';
import { startScript } from './start-script.ts';

export type Language = 'en' | 'de';

export interface PagePicture {
  /** Absolute URL. */
  readonly url: string;
  /** Media type. */
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** The differences between pages of apps. */
export interface AppPageOptions {
  readonly appId: string;
  readonly title: string;
  readonly description?: string;
  /** Language of messages shown before the map starts; `en` by default. */
  readonly language?: Language;
  /** Whether search engines may list it; false by default. */
  readonly isIndexed?: boolean;
  /** The URL is secret: send `Referrer-Policy: no-referrer`. */
  readonly isSecret?: boolean;
  /** Absolute; the preferred URL of the app. */
  readonly canonicalUrl?: string;
  /** Picture of link previews. */
  readonly picture?: PagePicture;
  /** Path of the picture that is shown until the map has loaded, as wide as what the map will show; a plain colour by default. */
  readonly poster?: string;
  /** Language of the viewer, such as `de`; the browser's by default. */
  readonly locale?: string;
  /** Version of an installed engine, such as `6.3.11`. */
  readonly engineVersion: string;
  /** Scripts and styles to preload, relative to the engine's folder: see `engineModules` and `engineStyles`. */
  readonly preload?: readonly string[];
  /** Path of the app's configuration; `/app/<appId>/app.config.json` by default. */
  readonly configPath?: string;
  /** Path of the script of `previewScript`, which shows what an editor sends instead of a configuration. */
  readonly preview?: string;
  /** Path of the engine's folder with a trailing slash; `/engines/<engineVersion>/` by default. */
  readonly base?: string;
  /** Path of the script that starts the app; that of `startScript` by default. */
  readonly script?: string;
  /** Path of the style sheet of the typeface; that of `mapTypeface` by default. */
  readonly font?: string;
  /** The Content-Security-Policy, if the server does not send it. */
  readonly policy?: string;
}

const preloadLink = (path: string) =>
  `<link rel=${path.endsWith('.css') ? '"preload" as="style"' : '"modulepreload"'} href="${escapeHtml(path)}">`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0e6b78"/><g fill="none" stroke="#fff" stroke-width="2"><circle cx="16" cy="16" r="8.5"/><path d="M7.5 16h17M16 7.5c5 5 5 12 0 17c-5-5-5-12 0-17"/></g></svg>`;

const style = `
  html, body { height: 100%; margin: 0; }
  html { --platen-font: Geist, ui-sans-serif, system-ui, "Segoe UI", sans-serif; }
  html, .v-application, .v-theme--light, .v-theme--dark { --v-vcs-font-family: var(--platen-font) !important; }
  html, html .v-application { font-family: var(--platen-font); }
  /* engine 5 names its own typeface for each of them */
  html .v-application :is(h1, h2, h3, h4, h5, h6, div, span, button, input, p, .caption, .tooltip):not(.v-icon) { font-family: inherit !important; }
  #loading, #failure {
    --ground: #eef4f5; --ink: #10242a; --muted: #4b6068; --line: #c3d7dd; --accent: #0e6b78;
    position: fixed; inset: 0; display: flex; flex-direction: column; align-items: center; justify-content: center;
    gap: 20px; padding: 24px; box-sizing: border-box; text-align: center; background: var(--ground); color: var(--ink);
    font: 15px/1.5 var(--platen-font);
  }
  #poster { position: absolute; inset: 0; z-index: 1; background: #dfe9ee; pointer-events: none; transition: opacity 0.4s; container-type: size; overflow: hidden; }
  #poster img { position: absolute; left: 50%; top: 50%; width: 100cqmax; transform: translate(-50%, -50%); opacity: 0.7; mask-image: linear-gradient(#0000, #000 15%, #000 85%, #0000); }
  #poster.flat img { width: 100cqi; }
  #poster::after { content: ""; position: absolute; top: 0; left: 0; width: 30%; height: 3px; background: #0e6b78; animation: slide 1.6s ease-in-out infinite; }
  #poster ~ #app #loading { background: none; }
  #poster ~ #app #loading p { padding: 6px 16px; border-radius: 8px; background: #ffffffd9; color: #10242a; font-weight: 600; }
  #poster ~ #app #loading svg { padding: 12px; border-radius: 50%; background: #ffffffd9; }
  #loading { z-index: 2; }
  #title { position: fixed; z-index: 1; left: 12px; top: 12px; max-width: calc(100% - 116px); padding: 6px 12px; box-sizing: border-box; border-radius: 8px; background: #ffffffe6; color: #10242a; font: 600 15px/1.3 var(--platen-font); overflow-wrap: anywhere; pointer-events: none; }
  #app:has(#loading) ~ #title { display: none; }
  @media (min-width: 600px) { #title { left: 50%; top: 60px; transform: translateX(-50%); max-width: 40%; } }
  @media (min-width: 960px) { #title { display: none; } }
  .v-list-item:has(rect[fill="rgba(255,255,255,0)"]:not([stroke])) :is(.v-list-item__prepend, .v-list-item__icon) { display: none; }
  .v-list-item:has(rect[fill="rgba(255,255,255,0)"]:not([stroke])) :is(.v-list-item-title, .v-list-item__title) { font-weight: 600; padding-left: 0 !important; }
  #failure { z-index: 10000; gap: 8px; }
  #failure[hidden] { display: none; }
  #loading svg { width: 72px; height: 72px; fill: none; stroke: var(--line); stroke-width: 1.5; }
  #loading .turn { stroke: var(--accent); stroke-width: 2; stroke-linecap: round; transform-origin: 50% 50%; animation: turn 1.6s linear infinite; }
  #loading p, #failure p { margin: 0; color: var(--muted); max-width: 40ch; }
  #failure h1 { margin: 0; font-size: 22px; line-height: 1.3; font-weight: 600; }
  #failure button { margin-top: 16px; padding: 8px 16px; border: 0; border-radius: 8px; background: var(--accent); color: #fff; font: inherit; font-weight: 550; cursor: pointer; }
  #failure button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  noscript p { position: fixed; z-index: 1; inset: auto 0 12%; margin: 0; text-align: center; font: 15px/1.5 var(--platen-font); color: #4b6068; }
  @keyframes turn { to { transform: rotate(360deg); } }
  @keyframes slide { from { translate: -100% 0; } to { translate: 340% 0; } }
  @media (prefers-reduced-motion: reduce) { #loading .turn { animation-duration: 8s; } #poster::after { animation-duration: 8s; } }
  @media (prefers-color-scheme: dark) {
    #loading, #failure { --ground: #0b1316; --ink: #e8f0f1; --muted: #a9bbc0; --line: #31454c; --accent: #1a8896; }
  }`;

const withoutScript = {
  en: 'this map requires JavaScript.',
  de: 'Diese Karte benötigt JavaScript.',
} as const satisfies Record<Language, string>;

/** Link previews truncate longer texts. */
const maxDescriptionLength = 300;

/** Metadata for search engines and link previews: https://ogp.me. */
function cardOf({ title, description = '', canonicalUrl, picture }: AppPageOptions): string {
  const text = Array.from(description.replaceAll(/\s+/g, ' ')).slice(0, maxDescriptionLength).join('').trim();
  const tags: [attribute: 'name' | 'property', key: string, value: string | number][] = [
    ['property', 'og:type', 'website'],
    ['property', 'og:title', title.trim() || 'Map'],
  ];
  if (text !== '') tags.push(['name', 'description', text], ['property', 'og:description', text]);
  if (canonicalUrl !== undefined) tags.push(['property', 'og:url', canonicalUrl]);
  if (picture !== undefined)
    tags.push(
      ['property', 'og:image', picture.url],
      ['property', 'og:image:type', picture.type],
      ['property', 'og:image:width', picture.width],
      ['property', 'og:image:height', picture.height],
      ['property', 'og:image:alt', title.trim() || 'Map'],
    );
  tags.push(['name', 'twitter:card', picture === undefined ? 'summary' : 'summary_large_image']);
  const lines = tags.map(
    ([name, key, value]) => `<meta ${name}="${key}" content="${escapeHtml(String(value))}">`,
  );
  if (canonicalUrl !== undefined) lines.push(`<link rel="canonical" href="${escapeHtml(canonicalUrl)}">`);
  return lines.join('\n');
}

/** Meta elements that say where the modules come from. */
function sourceOf({ appId, configPath, preview }: AppPageOptions): string {
  if (preview !== undefined)
    return `<meta name="platen:preview" content="${escapeHtml(preview)}">\n${preloadLink(preview)}`;
  const path = escapeHtml(configPath ?? `/app/${encodeURIComponent(appId)}/app.config.json`);
  return `<meta name="platen:config" content="${path}">\n<link rel="preload" as="fetch" crossorigin href="${path}">`;
}

/** The page that starts VC Map for an app, served at `/app/<appId>/`. It contains no inline script. */
export function appPage(options: AppPageOptions): string {
  const title = escapeHtml(options.title) || 'Map';
  const locale = options.locale === undefined ? undefined : escapeHtml(options.locale);
  const { preload = [], language = 'en', isIndexed = false, policy } = options;
  const base = options.base ?? `/engines/${encodeURIComponent(options.engineVersion)}/`;
  return `<!doctype html>
<html class="vcs-ui" lang="${locale ?? language}">
<head>
<meta charset="utf-8">
${policy === undefined ? '' : `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">\n`}<base href="${escapeHtml(base)}">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="#0e6b78">
<meta name="referrer" content="${options.isSecret ? 'no-referrer' : 'same-origin'}">
${isIndexed ? '' : '<meta name="robots" content="noindex">\n'}${cardOf(options)}
${sourceOf(options)}
${locale === undefined ? '' : `<meta name="platen:locale" content="${locale}">\n`}<link class="vcs-favicon" rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(icon)}">
${preload.map(preloadLink).join('\n')}
<link rel="stylesheet" href="${escapeHtml(options.font ?? mapTypeface().style.path)}">
<style>${style}
</style>
<script type="module" src="${escapeHtml(options.script ?? startScript().path)}"></script>
</head>
<body>
${options.poster === undefined ? '' : `<div id="poster" aria-hidden="true"><img src="${escapeHtml(options.poster)}" alt="" fetchpriority="high"></div>\n`}<div id="app"><div id="loading" role="status"><svg viewBox="0 0 72 72" aria-hidden="true"><circle cx="36" cy="36" r="30"/><path d="M6 36h60M36 6c18 17 18 43 0 60M36 6c-18 17-18 43 0 60"/><path class="turn" d="M36 6a30 30 0 0 1 30 30"/></svg><p>${title}</p></div></div>
${options.title === '' ? '' : `<div id="title">${title}</div>\n`}<div id="failure" role="alert" hidden></div>
<noscript><p>${title}: ${withoutScript[language]}</p></noscript>
</body>
</html>
`;
}
