import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { describeApi } from '@platen/contract/describe';
import type { FastifyInstance } from 'fastify';
import { version } from '../../base/version.ts';

const favicon = readFileSync(new URL('../../../web/public/favicon.svg', import.meta.url), 'utf8');

// the explorer sets styles of its own on its elements
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The API explorer at /apidoc/v1/ and the document it shows, /apidoc/v1/openapi.json; both work offline. */
export async function registerExplorer(app: FastifyInstance): Promise<void> {
  const document = describeApi(version);
  const text = JSON.stringify(document);
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
  app.get('/apidoc/v1/openapi.json', async (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(text),
  );
}
