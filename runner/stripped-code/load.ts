import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

/**
 * Loaded before anything else in the process of a job and in its threads, from the folder that `write.ts` has made: modules of ours
 * come from there, without their types. To take these away is most of what a process of Node does when it starts.
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
      return next(url, context); // it is none that a job needs
    }
    return { format: 'module', source, shortCircuit: true };
  },
});
