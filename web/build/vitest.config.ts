import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import vue from '@vitejs/plugin-vue';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { endpointsPlugin } from './endpoints-plugin.ts';
import { jobTypesPlugin } from './job-types-plugin.ts';
import { messagesPlugin } from './messages-plugin.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// oxlint-disable-next-line import/no-default-export -- Vitest reads the default export
export default defineConfig({
  root,
  plugins: [vue(), tailwindcss(), endpointsPlugin(), jobTypesPlugin(root), messagesPlugin(root)],
  cacheDir: fileURLToPath(new URL('../node_modules/.vitest', import.meta.url)),
  resolve: {
    alias: { typebox: fileURLToPath(new URL('no-schemas.ts', import.meta.url)) },
    dedupe: ['vue'],
  },
  // listed in advance: a dependency found during a test would reload the page
  optimizeDeps: {
    include: [
      'vue',
      'vue-i18n',
      'vue-router',
      'pinia',
      '@pinia/colada',
      'reka-ui',
      '@lucide/vue',
      '@mapbox/maki/browser.esm.js',
      'axe-core',
      'tus-js-client',
      'vitest-browser-vue',
    ],
  },
  test: {
    fileParallelism: false,
    include: ['**/*.component.ts'],
    exclude: ['dist*/**', 'node_modules/**'],
    reporters: ['verbose'],
    testTimeout: 60_000,
    // while other tests take the machine, a dialog may be seconds late
    expect: { poll: { timeout: 15_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      instances: [{ browser: 'chromium' }],
      provider: playwright({
        launchOptions: {
          executablePath: process.env['PLATEN_CHROMIUM'] ?? '/usr/bin/chromium',
          args: [
            '--no-sandbox',
            '--disable-gpu',
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
          ],
        },
      }),
    },
  },
});
