import { ref } from 'vue';

export type Theme = 'light' | 'dark';

/** Set by `theme-init.js` before the first paint. */
export const theme = ref<Theme>(document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = theme.value;
  localStorage.setItem('platen.theme', theme.value);
}
