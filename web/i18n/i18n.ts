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
/** For numbers and dates: the browser's own region where it fits the language. */
export const locale = computed(() =>
  navigator.language.toLowerCase().startsWith(language.value) ? navigator.language : language.value,
);

/** What was chosen here before; else German where the browser prefers it, else English. */
function preferred(): Language {
  const kept = localStorage.getItem('platen.language');
  const wanted = kept ?? navigator.language.slice(0, 2).toLowerCase();
  const found = languages.find((one) => one === wanted) ?? 'en';
  document.documentElement.lang = found;
  return found;
}
