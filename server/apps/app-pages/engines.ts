import type { FastifyInstance } from 'fastify';
import type { Context } from '../../base/context.ts';
import { registerPluginFiles } from '../map-plugins/serve.ts';
import type { CompressedForms } from './compressed-forms.ts';
import { listEngineFiles, listStartScripts } from './engine-files.ts';
import { refuse } from './send-message.ts';
import { sendWebFile } from './web-files.ts';

/** The files of the installed map viewers, and of their plugins. */
export function registerEngines(app: FastifyInstance, context: Context, forms: CompressedForms): void {
  app.get('/engines/*', async (request, reply) => {
    const { '*': path } = request.params as { '*': string };
    const version = path.slice(0, path.indexOf('/'));
    const files = version === 'platen' ? listStartScripts() : await listEngineFiles(version);
    const file = files.get(`/engines/${path}`);
    return file
      ? sendWebFile(forms, file, { request, reply })
      : refuse(request, reply, 'file of the map viewer');
  });
  registerPluginFiles(app, context, forms);
}
