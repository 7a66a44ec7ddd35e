/// <reference types="vite/client" />

declare module 'virtual:endpoints' {
  import type { apiEndpoints } from '@platen/contract/api';

  export const endpoints: typeof apiEndpoints;
}

declare module 'virtual:words' {
  import type { LocaleMessageValue } from 'vue-i18n';

  type Load = () => Promise<{ messages: Record<string, LocaleMessageValue> }>;
  export const loaders: Record<'en' | 'de', Record<string, Load>>;
}
