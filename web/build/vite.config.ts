import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { endpointsPlugin } from './endpoints-plugin.ts';
import { jobTypesPlugin } from './job-types-plugin.ts';
import { messagesPlugin } from './messages-plugin.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const entry = /[\\/](index\.html|main\.ts)$/;
/** The modules of the login page, with everything they import. */
const atLogin = /[\\/]login[\\/]sign-in\.ts|SignInFields|FormField|LanguageButton|ThemeButton/;
/** Chunks loaded on demand: messages of an area, the map, its styles, the JSON editor. */
const heavy =
  /virtual:messages|maplibre|web[\\/](map|map-styles|preview)[\\/]|data-overlay|codemirror|@lezer|json-editor|JsonEditor/;

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export
export default defineConfig(({ command }) => ({
  root,
  base: '/web/',
  plugins: [vue(), tailwindcss(), endpointsPlugin(), jobTypesPlugin(root), messagesPlugin(root)],
  resolve: { alias: { typebox: fileURLToPath(new URL('no-schemas.ts', import.meta.url)) } },
  define: {
    __VUE_OPTIONS_API__: false,
    __VUE_PROD_DEVTOOLS__: false,
    __VUE_I18N_LEGACY_API__: false,
    __VUE_I18N_FULL_INSTALL__: false,
    __INTLIFY_PROD_DEVTOOLS__: false,
    // messages are compiled beforehand (message-code.ts); in development vue-i18n would warn about each
    __INTLIFY_DROP_MESSAGE_COMPILER__: command === 'build',
  },
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        // shared code of pages is grouped into few files, as each is a request; a page may load a little more than it
        // needs
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], test: (id) => !entry.test(id), priority: 1 },
            { name: 'login', test: atLogin, priority: 1 },
            // what colours maps is much, and few pages need it
            {
              name: 'styles',
              test: /(?<!datasources)[\\/]styles[\\/]|d3-color|d3-scale-chromatic|simple-statistics/,
              minShareCount: 2,
            },
            { name: 'common', test: (id) => !heavy.test(id), minShareCount: 6 },
            { name: 'icons', test: /lucide/, minShareCount: 2 },
          ],
        },
      },
    },
  },
}));
