/// <reference types="vite/client" />

declare module 'virtual:endpoints' {
  import type { apiEndpoints } from '@platen/contract/api';

  export const endpoints: typeof apiEndpoints;
}

declare module 'virtual:job-types' {
  import type { InspectedKind } from '@platen/contract/inspect';
  import type { Component } from 'vue';

  interface KnownJobType {
    readonly purpose?: 'prepare' | 'fetch' | 'publish' | 'care';
    readonly icon?: Component;
    readonly mapsOf?: readonly InspectedKind[];
  }
  /** Every job type by its name without a prefix; those that no task can name have no fields. */
  export const jobTypes: Readonly<Record<string, KnownJobType>>;
}

declare module 'virtual:form-words/*' {
  /** `FormWords` of tasks/use-form-texts.ts. */
  export const words: unknown;
}

declare module 'virtual:words' {
  import type { LocaleMessageValue } from 'vue-i18n';

  type Load = () => Promise<{ messages: Record<string, LocaleMessageValue> }>;
  export const loaders: Record<'en' | 'de', Record<string, Load>>;
}

declare module '@mapbox/maki/browser.esm.js' {
  export const layouts: readonly string[];
  /** The pictures, in the order of their names. */
  export const svgArray: readonly string[];
}
