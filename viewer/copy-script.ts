import { hashedPath } from './hashed-path.ts';
import { scriptBody } from './script-source.ts';
import type { StartScript } from './start-script.ts';

let script: StartScript | undefined;

/** copy-buttons.ts without its types; the name depends on the content. */
export function copyScript(): StartScript {
  if (script === undefined) {
    const body = scriptBody('copy-buttons');
    script = { path: hashedPath('/open/copy.js', body), body };
  }
  return script;
}
