import type { App } from '@platen/contract/apps';
import type { FastifyRequest } from 'fastify';
import { findAppAnywhere } from '../apps/store.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { secretOf } from '../http/credentials.ts';
import { authorise } from '../iam/authorise.ts';
import { hashSecret } from '../iam/tokens.ts';

const appId = /^[\da-z]{1,64}$/;

/**
 * The app of an address, for whoever may see it: anyone where it is public, otherwise those who may read it in its
 * project, and its guests. undefined says nothing of why. Looked up at each request: what is taken back is gone at once.
 */
export async function findVisibleApp(
  { db, lookups, settings, now }: Context,
  request: FastifyRequest,
): Promise<App | undefined> {
  const { appId: id } = request.params as { appId: string };
  if (!appId.test(id)) return undefined;
  const app = await findAppAnywhere(db, id);
  if (!app || app.isPublic) return app;
  const secret = secretOf(request, settings.baseUrl);
  if (secret === undefined) return undefined;
  const endpoint = {
    path: '/project/:projectId/app/:appId',
    access: { permission: 'getApp', orCreator: true },
  } as const;
  const credential = { hash: hashSecret(secret), address: request.ip, now: now() };
  try {
    await authorise(lookups, endpoint, { projectId: app.projectId, appId: id }, credential);
    return app;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
