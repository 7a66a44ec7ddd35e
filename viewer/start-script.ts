import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** The script that starts an app in the browser, and where the server offers it. */
export interface StartScript {
  /** Absolute path that changes with the content: it may be cached for ever. */
  readonly path: string;
  /** JavaScript, to be sent as `text/javascript; charset=utf-8`. */
  readonly body: string;
}

let script: StartScript | undefined;

/** start.ts without its types; there is no build. */
export function startScript(): StartScript {
  if (script === undefined) {
    const body = stripTypeScriptTypes(readFileSync(new URL('start.ts', import.meta.url), 'utf8'));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    script = { path: `/engines/platen/start-${hash}.js`, body };
  }
  return script;
}
