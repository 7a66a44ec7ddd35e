import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyInstance } from 'fastify';

const favicon = readFileSync(new URL('../../../web/public/favicon.svg', import.meta.url), 'utf8');

// the explorer sets styles of its own on its elements
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** An application of its own with the pages of the explorer; it listens nowhere. */
export async function openExplorer(document: object): Promise<FastifyInstance> {
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/apidoc/v1',
    uiConfig: {
      url: '/apidoc/v1/openapi.json',
      validatorUrl: null,
      persistAuthorization: false,
      docExpansion: 'none',
    },
    theme: {
      title: 'Platen API',
      css: [{ filename: 'platen.css', content: '.swagger-ui .topbar { display: none }' }],
      favicon: [
        { filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: favicon },
      ],
    },
    staticCSP: policy,
  } as never);
  await app.ready();
  return app;
}
