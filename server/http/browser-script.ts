import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

const relativeImport = /(\b(?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g;

/**
 * A TypeScript module as a browser gets it, without a build: its types are blanked out, and what it imports by
 * `./name.ts` is imported by `./name.js`, the name the server offers that module by.
 *
 * To be sent as `text/javascript; charset=utf-8`. Throws when the file uses syntax that cannot be erased.
 */
export function browserScript(file: URL): string {
  return stripTypeScriptTypes(readFileSync(file, 'utf8')).replaceAll(relativeImport, '$1$2$3.js$2');
}
