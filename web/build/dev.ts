// npm run dev:web: the interface with reload at each change, before a service that runs already.
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const service = process.env['PLATEN_URL'] ?? 'http://127.0.0.1:8080';
const port = Number(process.env['PLATEN_WEB_PORT'] ?? 5173);

/** Paths that the service serves besides the interface. */
const served =
  '^/(api|apidoc|app|app-preview|data|docs|engines|open|plugins|preview|share|world|basemap|readyz)(/|$|\\?)';

const server = await createServer({
  configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
  configLoader: 'native',
  cacheDir: `node_modules/.vite-${port}`,
  plugins: [
    {
      name: 'platen-session',
      transformIndexHtml: (html) => html.replace('data-session="no"', 'data-session="yes"'),
      configureServer({ middlewares }) {
        middlewares.use((request, _response, next) => {
          const { url = '/', headers } = request;
          const isPage = headers.accept?.includes('text/html') && !url.startsWith('/web/');
          if (isPage && !new RegExp(served).test(url)) request.url = '/web/index.html';
          next();
        });
      },
    },
  ],
  server: { host: '127.0.0.1', port, strictPort: true, proxy: { [served]: { target: service, ws: false } } },
});
await server.listen();
server.printUrls();
