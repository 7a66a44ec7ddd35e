import { areaMessages } from '../../web/build/messages-plugin.ts';

export type Language = 'en' | 'de';
type Words = { readonly [name: string]: string | Words };

/** Asks what the interface says in a language, by the same keys as its pages; `n` chooses the plural form. */
export function wordsOf(language: Language) {
  const areas = new Map<string, Words>();
  return (key: string, n?: number): string => {
    const [area = '', ...path] = key.split('.');
    let words = areas.get(area);
    if (!words) {
      words = areaMessages(`${import.meta.dirname}/../../web`, [area], language)[area] as Words;
      areas.set(area, words);
    }
    let found: string | Words | undefined = words;
    for (const name of path) found = typeof found === 'object' ? found[name] : undefined;
    if (typeof found !== 'string') throw new Error(`There are no words for ${key} in ${language}.`);
    if (n === undefined) return found;
    const forms = found.split(' | ');
    const form = forms.length === 2 ? Number(n !== 1) : Math.min(n, forms.length - 1);
    return forms[form]!.replaceAll('{n}', n.toLocaleString(language));
  };
}
