import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

/**
 * Preloaded in the process of a job and its threads from the folder that `write.ts` has written. Loads our modules
 * with types already stripped, which would take most of the start of a process.
 */
const root = readFileSync(join(import.meta.dirname, 'root'), 'utf8');

registerHooks({
  load(url, context, next) {
    if (!url.startsWith(root) || !url.endsWith('.ts')) return next(url, context);
    const path = join(import.meta.dirname, decodeURIComponent(url.slice(root.length)));
    let source: string;
    try {
      source = readFileSync(path, 'utf8');
    } catch {
      return next(url, context); // no job needs this module
    }
    return { format: 'module', source, shortCircuit: true };
  },
});
