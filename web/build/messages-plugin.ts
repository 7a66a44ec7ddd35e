import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import {
  jobMessages,
  languages,
  merge,
  wordFiles,
  readJobFolders,
  type Language,
  type Messages,
} from './job-words.ts';
import { codeOfWords } from './message-code.ts';

/**
 * Areas that are visible before and just after signing in: their messages load with the first scripts, others with
 * their pages.
 */
export const firstAreas: readonly string[] = ['api', 'login', 'public-apps', 'shell', 'ui'];

const messages = /^\0?virtual:messages\/(en|de)\/([\w-]+)$/;
const loaders = 'virtual:words';
/** The statement that `transform` inserts, as the bundler prints it. */
const wait = /\bawait (\w+)\(\[\s*(?:"[\w-]+",?\s*)+\]\)/;
/** File with the messages that each chunk loads, for measuring the size of pages. */
export const wordsFile = '.vite/words.json';

/** The messages of an area by its name: those in `<area>/locales/<language>.json`, and those of job types. */
export function areaMessages(root: string, areas: readonly string[], language: Language): Messages {
  const ofJobs = jobMessages(readJobFolders(), language);
  return Object.fromEntries(
    areas.map((area) => {
      const own = JSON.parse(
        readFileSync(join(root, area, 'locales', `${language}.json`), 'utf8'),
      ) as Messages;
      return [area, merge(own, (ofJobs[area] ?? {}) as Messages)];
    }),
  );
}

/**
 * `virtual:messages/<language>/first` has the messages of the first areas by area name, `…/<area>` those of one area. A
 * module that uses messages of another area waits for them when it loads: `await words('jobs')` is inserted before it.
 */
export function messagesPlugin(root: string): Plugin {
  const areasNow = () =>
    globSync('*/locales/en.json', { cwd: root })
      .map((file) => file.split(/[\\/]/)[0]!)
      .toSorted();
  const otherAreas = () => areasNow().filter((area) => !firstAreas.includes(area));
  const named = new Map<string, readonly string[]>();
  const areasOf = (ids: readonly string[]) => [...new Set(ids.flatMap((id) => named.get(id) ?? []))];

  return {
    name: 'platen-messages',
    enforce: 'post',
    resolveId: (source) => (messages.test(source) || source === loaders ? `\0${source}` : undefined),
    configureServer({ watcher, moduleGraph, ws }) {
      watcher.add(wordFiles());
      // a new file is part of a module that does not know of it yet
      watcher.on('all', (_event, file) => {
        if (!/[\\/](locales[\\/]|words\.)(en|de)\.json$/.test(file)) return;
        for (const [id, module] of moduleGraph.idToModuleMap) {
          if (id.startsWith('\0virtual:')) moduleGraph.invalidateModule(module);
        }
        ws.send({ type: 'full-reload' });
      });
    },
    load(source) {
      if (source === `\0${loaders}`) return loadersOf(otherAreas());
      const [, language, part] = (source.startsWith('\0') && messages.exec(source)) || [];
      if (language === undefined) return undefined;
      const areas = part === 'first' ? firstAreas : [part!];
      return `export const messages = ${codeOfWords(areaMessages(root, areas, language as Language))};`;
    },
    transform(code, id) {
      const [path = ''] = id.split('?');
      const isOurs = path.startsWith(root) && /\.(vue|ts)$/.test(path) && !path.endsWith('/routes.ts');
      if (!isOurs || path.includes('/node_modules/') || path.endsWith('.component.ts')) return undefined;
      const areas = otherAreas().filter((area) => new RegExp(`['"\`]${area}\\.[\\w$]`).test(code));
      if (areas.length === 0) return undefined;
      named.set(id, areas);
      const head = `import { words as wordsOfAreas } from '${join(root, 'i18n/words.ts')}';\nawait wordsOfAreas(${JSON.stringify(areas)});\n`;
      return { code: head + code, map: null };
    },
    // the first wait of a chunk is for the words of all its modules: each wait of its own is another way to the service
    renderChunk(code, { moduleIds }) {
      const areas = areasOf(moduleIds);
      if (areas.length < 2) return null;
      return {
        code: code.replace(wait, (_, words) => `await ${words}(${JSON.stringify(areas)})`),
        map: null,
      };
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk : []));
      const areasByFile = chunks.map(({ fileName, moduleIds }) => [fileName, areasOf(moduleIds)]);
      this.emitFile({
        type: 'asset',
        fileName: wordsFile,
        source: JSON.stringify(Object.fromEntries(areasByFile)),
      });
    },
  };
}

/** For each language the function that loads the words of each area. */
function loadersOf(areas: readonly string[]): string {
  const of = (language: string) =>
    ['first', ...areas]
      .map((area) => `'${area}': () => import('virtual:messages/${language}/${area}')`)
      .join(', ');
  return `export const loaders = { ${languages.map((language) => `${language}: { ${of(language)} }`).join(', ')} };`;
}
