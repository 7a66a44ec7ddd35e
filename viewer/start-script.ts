import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashedPath } from './hashed-path.ts';
import { scriptBody } from './script-source.ts';

/** A script for the browser, and the path it is served at. */
export interface StartScript {
  /** Absolute path with a content hash: it may be cached forever. */
  readonly path: string;
  /** JavaScript, sent as `text/javascript; charset=utf-8`. */
  readonly body: string;
}

const scripts = new Map<string, StartScript>();

/** What start.ts imports, each after what it imports itself. */
const parts = [
  'geo/hilbert/hilbert',
  'geo/pmtiles/tile-id',
  'geo/pmtiles/header',
  'geo/pmtiles/directory',
  'geo/pmtiles/read-archive',
  'daylight',
  'calm-maps',
  'card-content',
  'card-view',
  'cards',
  'draped-names',
  'element',
  'each-globe',
  'far-side',
  'label-rank',
  'declutter-labels',
  'fold-text',
  'find-places',
  'find-names',
  'fly-to',
  'search-source',
  'feature-search',
  'archive-style',
  'archive-tiles',
  'guard-layers',
  'flat-symbols',
  'hatches',
  'label-placement',
  'line-casings',
  'line-labels',
  'line-order',
  'replace-colours',
  'shape-labels',
  'zoom-styles',
  'improve-styles',
  'place-search',
  'place-tiles',
  'poster',
  'relief-shading',
  'story-panel',
  'story',
  'overzoom',
  'tile-locale',
  'time-axis',
  'time-panel',
  'time-slider',
  'watch-base-maps',
] as const;

/**
 * The sanitiser, start.ts and what it imports without their types, in one file: no map viewer can start without the
 * sanitiser.
 */
export function startScript(): StartScript {
  return scriptOf('start', () =>
    [sanitiserScript(), ...parts.map(partOf), withoutImports('start')].join('\n'),
  );
}

const ownImport = /^import \{[^}]*\} from '(?:\.{1,2}|@platen\/geo)(?:\/[\w-]+)*\/([\w-]+)(?:\.ts)?';$/gm;

function withoutImports(name: 'start' | (typeof parts)[number]): string {
  const before = new Set((name === 'start' ? parts : parts.slice(0, parts.indexOf(name))).map(nameOf));
  return scriptBody(name).replaceAll(ownImport, (_, imported: string) => {
    if (!before.has(imported)) throw new Error(`start-script.ts must list ${imported} before ${name}.`);
    return '';
  });
}

/** Without its folder. */
const nameOf = (part: string) => part.slice(part.lastIndexOf('/') + 1);

/** In a block of its own, except for what it exports. */
function partOf(name: (typeof parts)[number]): string {
  const body = withoutImports(name);
  const names = [...body.matchAll(/^export (?:async function|function|const|class) (\w+)/gm)].map(
    ([, exported]) => exported!,
  );
  return `const { ${names.join(', ')} } = (() => {\n${body.replaceAll(/^export /gm, '')}\nreturn { ${names.join(', ')} };\n})();`;
}

/** preview.ts without its types; start.ts loads it if the page says so. */
export function previewScript(): StartScript {
  return scriptOf('preview', () => scriptBody('preview'));
}

/** DOMPurify and sanitiser.ts without its types, in a block, so that its names are its own. */
export function sanitiserScript(): string {
  const path = fileURLToPath(import.meta.resolve('dompurify/purify.min.js'));
  const purifier = readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
  return `${purifier}{\n${scriptBody('sanitiser')}\n}`;
}

function scriptOf(name: 'start' | 'preview', read: () => string): StartScript {
  const known = scripts.get(name);
  if (known) return known;
  const body = read();
  const script = { path: hashedPath(`/engines/platen/${name}.js`, body), body };
  scripts.set(name, script);
  return script;
}
