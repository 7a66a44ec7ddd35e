import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { endpointsPlugin } from './endpoints-plugin.ts';
import { messagesPlugin } from './messages-plugin.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export
export default defineConfig(({ command }) => ({
  root,
  base: '/web/',
  plugins: [vue(), tailwindcss(), endpointsPlugin(), messagesPlugin(root)],
  resolve: { alias: { typebox: fileURLToPath(new URL('no-schemas.ts', import.meta.url)) } },
  define: {
    __VUE_OPTIONS_API__: false,
    __VUE_PROD_DEVTOOLS__: false,
    __VUE_I18N_LEGACY_API__: false,
    __VUE_I18N_FULL_INSTALL__: false,
    __INTLIFY_PROD_DEVTOOLS__: false,
    // no message is left to it (message-code.ts); while developing it would tell so of each
    __INTLIFY_DROP_MESSAGE_COMPILER__: command === 'build',
  },
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    chunkSizeWarningLimit: 1500,
  },
}));
