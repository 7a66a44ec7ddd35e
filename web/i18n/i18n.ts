import { computed } from 'vue';
import { createI18n } from 'vue-i18n';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const i18n = createI18n({
  legacy: false,
  locale: preferred(),
  fallbackLocale: false,
  missingWarn: import.meta.env.DEV,
  fallbackWarn: false,
  messages: {},
});

export const language = computed(() => i18n.global.locale.value as Language);
/** The locale for numbers and dates: the browser's own if it has the same language. */
export const locale = computed(() =>
  navigator.language.toLowerCase().startsWith(language.value) ? navigator.language : language.value,
);

/** The language chosen earlier in this browser, else the browser's preference if supported, else English. */
function preferred(): Language {
  const kept = localStorage.getItem('platen.language');
  const preference = kept ?? navigator.language.slice(0, 2).toLowerCase();
  const found = languages.find((one) => one === preference) ?? 'en';
  document.documentElement.lang = found;
  return found;
}
