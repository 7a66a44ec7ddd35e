import { loaders } from 'virtual:words';
import { i18n, language, type Language } from './i18n.ts';

const needed = new Set<string>();

/**
 * The words of areas in the language of the page; `first` are those of the shell. Modules wait for those that they name:
 * `web/build/messages-plugin.ts` puts that in front of them.
 */
export async function words(areas: readonly string[]): Promise<void> {
  const missing = areas.filter((area) => !needed.has(area));
  for (const area of missing) needed.add(area);
  await load(missing, language.value);
}

/** Switches the language once all words that are shown are there in it. */
export async function setLanguage(to: Language): Promise<void> {
  await load([...needed], to);
  i18n.global.locale.value = to;
  document.documentElement.lang = to;
  localStorage.setItem('platen.language', to);
}

async function load(areas: readonly string[], of: Language): Promise<void> {
  const known = areas.flatMap((area) => loaders[of][area] ?? []);
  const loaded = await Promise.all(known.map((one) => one()));
  for (const { messages } of loaded) i18n.global.mergeLocaleMessage(of, messages);
}
