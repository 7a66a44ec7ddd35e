import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { describeApi } from '@platen/contract/describe';
import type { FastifyInstance } from 'fastify';
import { version } from '../version.ts';

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
    theme: { title: 'Platen API' },
    staticCSP: true,
    transformStaticCSP: (csp: string) => csp.replace(/ ?https:\/\/validator\.swagger\.io/g, ''),
  } as never);
  app.get('/apidoc/v1/openapi.json', async (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(text),
  );
}
