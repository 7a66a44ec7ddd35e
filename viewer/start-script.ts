import { createHash } from 'node:crypto';
import { scriptBody } from './script-source.ts';

/** A script for the browser, and the path it is served at. */
export interface StartScript {
  /** Absolute path with a content hash: it may be cached forever. */
  readonly path: string;
  /** JavaScript, sent as `text/javascript; charset=utf-8`. */
  readonly body: string;
}

const scripts = new Map<string, StartScript>();

/** start.ts without its types. */
export function startScript(): StartScript {
  return scriptOf('start');
}

/** preview.ts without its types; start.ts loads it if the page says so. */
export function previewScript(): StartScript {
  return scriptOf('preview');
}

function scriptOf(name: 'start' | 'preview'): StartScript {
  const known = scripts.get(name);
  if (known) return known;
  const body = scriptBody(name);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const script = { path: `/engines/platen/${name}-${hash}.js`, body };
  scripts.set(name, script);
  return script;
}
