import './main.css';
import { PiniaColada } from '@pinia/colada';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import AppRoot from './AppRoot.vue';
import { i18n } from './i18n/i18n.ts';
import { words } from './i18n/words.ts';
import { createAppRouter } from './router.ts';

await words(['first']);
createApp(AppRoot)
  .use(createPinia())
  .use(PiniaColada, { queryOptions: { staleTime: 5000, gcTime: 120_000 } })
  .use(createAppRouter())
  .use(i18n)
  .mount('#app');
