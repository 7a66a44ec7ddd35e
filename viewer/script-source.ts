import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/** Our scripts that run in browsers, by file name; those of another room with its folder. */
const scriptNames = [
  'geo/hilbert/hilbert',
  'geo/pmtiles/directory',
  'geo/pmtiles/header',
  'geo/pmtiles/read-archive',
  'geo/pmtiles/tile-id',
  'sanitiser',
  'start',
  'archive-style',
  'archive-tiles',
  'calm-maps',
  'card-content',
  'card-view',
  'cards',
  'daylight',
  'declutter-labels',
  'draped-names',
  'each-globe',
  'element',
  'far-side',
  'feature-search',
  'find-names',
  'find-places',
  'fly-to',
  'fold-text',
  'guard-layers',
  'hatches',
  'flat-symbols',
  'improve-styles',
  'label-placement',
  'label-rank',
  'line-casings',
  'line-labels',
  'line-order',
  'place-search',
  'place-tiles',
  'poster',
  'relief-shading',
  'replace-colours',
  'search-source',
  'shape-labels',
  'story',
  'story-panel',
  'overzoom',
  'tile-locale',
  'time-axis',
  'time-panel',
  'time-slider',
  'watch-base-maps',
  'zoom-styles',
  'preview',
  'bundle-start',
  'copy-buttons',
] as const;

type ScriptName = (typeof scriptNames)[number];

/** `npm run build` puts the scripts here: stripping the first script takes a process 50 ms. */
export const builtScripts = join(import.meta.dirname, '../build/scripts');

/** A script without its types, from the build where that had the same source. */
export function scriptBody(name: ScriptName, built = builtScripts): string {
  const source = sourceOf(name);
  const path = join(built, fileName(name, source));
  return existsSync(path) ? readFileSync(path, 'utf8') : stripTypeScriptTypes(source);
}

/** Writes all of them into a folder. */
export async function buildScripts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of scriptNames) {
    const source = sourceOf(name);
    await writeFile(join(folder, fileName(name, source)), stripTypeScriptTypes(source));
  }
}

function sourceOf(name: ScriptName): string {
  const folder = name.startsWith('geo/') ? '..' : '';
  return readFileSync(join(import.meta.dirname, folder, `${name}.ts`), 'utf8');
}

function fileName(name: ScriptName, source: string): string {
  return `${name.replaceAll('/', '-')}-${createHash('sha256').update(source).digest('hex').slice(0, 32)}.js`;
}
