import { german } from './messages-de.ts';
import { english, type Messages } from './messages-en.ts';

/** The language of the page: German where the browser prefers it, else English. */
export const language = navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';

/** For numbers and dates: the browser's own region where it fits the language. */
export const locale =
  language === 'de' ? navigator.language : navigator.language.startsWith('en') ? navigator.language : 'en';

export const messages: Messages = language === 'de' ? german : english;
