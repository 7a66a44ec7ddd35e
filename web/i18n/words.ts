import { loaders } from 'virtual:words';
import { i18n, language, type Language } from './i18n.ts';

const needed = new Set<string>();

/**
 * Loads the texts of areas in the current language; `first` holds those of the shell. Modules wait for the areas they
 * use:
 * `web/build/messages-plugin.ts` adds the call to them.
 */
export async function words(areas: readonly string[]): Promise<void> {
  const missing = areas.filter((area) => !needed.has(area));
  for (const area of missing) needed.add(area);
  await load(missing, language.value);
}

/** Switches the language after its texts have loaded. */
export async function setLanguage(to: Language): Promise<void> {
  await load([...needed], to);
  i18n.global.locale.value = to;
  document.documentElement.lang = to;
  localStorage.setItem('platen.language', to);
}

async function load(areas: readonly string[], target: Language): Promise<void> {
  const known = areas.flatMap((area) => loaders[target][area] ?? []);
  const loaded = await Promise.all(known.map((one) => one()));
  for (const { messages } of loaded) i18n.global.mergeLocaleMessage(target, messages);
}
