import { createHash } from 'node:crypto';
import { scriptBody } from './script-source.ts';

/** A script of ours that runs in the browser, and where the server offers it. */
export interface StartScript {
  /** Absolute path that changes with the content: it may be cached for ever. */
  readonly path: string;
  /** JavaScript, to be sent as `text/javascript; charset=utf-8`. */
  readonly body: string;
}

const scripts = new Map<string, StartScript>();

/** start.ts without its types. */
export function startScript(): StartScript {
  return scriptOf('start');
}

/** preview.ts, which start.ts loads where a page says so. */
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
