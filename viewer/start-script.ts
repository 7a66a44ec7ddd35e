import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scriptBody } from './script-source.ts';

/** A script for the browser, and the path it is served at. */
export interface StartScript {
  /** Absolute path with a content hash: it may be cached forever. */
  readonly path: string;
  /** JavaScript, sent as `text/javascript; charset=utf-8`. */
  readonly body: string;
}

const scripts = new Map<string, StartScript>();

/** The sanitiser and start.ts without their types, in one file: no map viewer can start without the sanitiser. */
export function startScript(): StartScript {
  return scriptOf('start', () => `${sanitiserScript()}\n${scriptBody('start')}`);
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
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const script = { path: `/engines/platen/${name}-${hash}.js`, body };
  scripts.set(name, script);
  return script;
}
