import type { Plugin } from 'vite';
import { formWords, readJobFolders, type JobFolder, type Language } from './job-words.ts';

const typesId = 'virtual:job-types';
const wordsId = /^\0?virtual:form-words\/(\w+)$/;

/**
 * What the interface knows of each job type, by its spec and its words: `virtual:job-types` has icon, purpose and
 * suitable data, `virtual:form-words/<language>` the texts of its options in a language other than English.
 */
export function jobTypesPlugin(root: string): Plugin {
  return {
    name: 'platen-job-types',
    resolveId: (source) => (source === typesId || wordsId.test(source) ? `\0${source}` : undefined),
    load(source) {
      if (source === `\0${typesId}`) return jobTypesModule(readJobFolders());
      const language = source.startsWith('\0') ? wordsId.exec(source)?.[1] : undefined;
      if (language === undefined) return undefined;
      const words = formWords(root, readJobFolders(), language as Language);
      return `export const words = ${JSON.stringify(words)};`;
    },
  };
}

/** The source of `virtual:job-types`: only the icons in use are loaded. */
export function jobTypesModule(folders: readonly JobFolder[]): string {
  const specs = folders.flatMap((folder) => folder.specs);
  const icons = new Set(specs.flatMap((spec) => ('icon' in spec ? spec.icon : [])));
  const types = specs.map((spec) => {
    if (!('icon' in spec)) return `${spec.name}: {}`;
    const { name, purpose, icon, mapsOf = [] } = spec;
    return `${name}: { purpose: '${purpose}', icon: ${icon}, mapsOf: ${JSON.stringify(mapsOf)} }`;
  });
  return `import { ${[...icons].join(', ')} } from '@lucide/vue';\nexport const jobTypes = { ${types.join(', ')} };`;
}
