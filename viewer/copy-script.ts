import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { StartScript } from './start-script.ts';

let script: StartScript | undefined;

/** copy-buttons.ts without its types, under a name of its content. */
export function copyScript(): StartScript {
  if (script === undefined) {
    const body = stripTypeScriptTypes(readFileSync(new URL('copy-buttons.ts', import.meta.url), 'utf8'));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    script = { path: `/open/copy-${hash}.js`, body };
  }
  return script;
}
