import type { FastifyInstance } from 'fastify';
import type { Context } from '../../base/context.ts';
import { registerPluginFiles } from '../map-plugins/serve.ts';
import type { CompressedForms } from './compressed-forms.ts';
import { listEngineFiles, listStartScripts } from './engine-files.ts';
import { refuse } from './send-message.ts';
import { listToolFiles } from './tool-files.ts';
import { sendWebFile } from './web-files.ts';

/** The files of the installed map viewers, their tools and their plugins. */
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
  app.get('/engines/:engine/plugins/tools/*', async (request, reply) => {
    const { engine, '*': path } = request.params as { engine: string; '*': string };
    const file = (await listToolFiles(engine)).get(`/engines/${engine}/plugins/tools/${path}`);
    return file ? sendWebFile(forms, file, { request, reply }) : refuse(request, reply, 'file of a tool');
  });
  registerPluginFiles(app, context, forms);
}
