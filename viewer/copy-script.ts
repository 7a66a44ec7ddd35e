import { createHash } from 'node:crypto';
import { scriptBody } from './script-source.ts';
import type { StartScript } from './start-script.ts';

let script: StartScript | undefined;

/** copy-buttons.ts without its types; the name depends on the content. */
export function copyScript(): StartScript {
  if (script === undefined) {
    const body = scriptBody('copy-buttons');
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    script = { path: `/open/copy-${hash}.js`, body };
  }
  return script;
}
