import type { App } from '@platen/contract/apps';
import type { FastifyRequest } from 'fastify';
import { findAppAnywhere } from '../store.ts';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { requestOriginOf, secretOf } from '../../http/credentials.ts';
import { authorise } from '../../identity/iam/authorise.ts';
import type { Caller } from '../../base/caller.ts';
import { hashSecret } from '../../base/secrets/bearer-secrets.ts';
import { maySeeDrafts } from '../releases/may-see-drafts.ts';

const idOrSlug = /^[\da-z-]{1,64}$/;

/** An app, and the secret of the login by which it is seen; a public one needs none. */
export interface VisibleApp {
  readonly app: App;
  readonly loginSecret?: string;
}

/**
 * Finds the app by ID or slug if the caller may see it: anyone if it is public, otherwise its readers and guests. It
 * is looked up for each request, so a revoked right takes effect at once.
 */
export async function findVisibleApp(
  context: Context,
  request: FastifyRequest,
): Promise<VisibleApp | undefined> {
  const app = await findNamed(context, request);
  if (!app) return undefined;
  if (app.isPublic) return { app };
  const reader = await readerOf(context, request, app);
  return reader && { app, loginSecret: reader.loginSecret };
}

/** Finds the app for callers who may also see its draft and releases: its readers, but not its guests. */
export async function findAppWithDrafts(
  context: Context,
  request: FastifyRequest,
): Promise<VisibleApp | undefined> {
  const app = await findNamed(context, request);
  const reader = app && (await readerOf(context, request, app));
  if (!app || !reader || !maySeeDrafts(reader.caller, app.createdBy)) return undefined;
  return { app, loginSecret: reader.loginSecret };
}

async function findNamed({ db }: Context, request: FastifyRequest): Promise<App | undefined> {
  const { appId: name } = request.params as { appId: string };
  return idOrSlug.test(name) ? findAppAnywhere(db, name) : undefined;
}

interface Reader {
  readonly caller: Caller;
  readonly loginSecret: string;
}

/** The signed-in caller, if they may read the app. */
async function readerOf(
  { lookups, settings, now }: Context,
  request: FastifyRequest,
  app: App,
): Promise<Reader | undefined> {
  const loginSecret = secretOf(request, settings.baseUrl);
  if (loginSecret === undefined) return undefined;
  const endpoint = {
    path: '/project/:projectId/app/:appId',
    access: { permission: 'getApp', orCreator: true },
  } as const;
  const credential = { hash: hashSecret(loginSecret), ...requestOriginOf(request), now: now() };
  try {
    const path = { projectId: app.projectId, appId: app._id };
    return { caller: await authorise(lookups, endpoint, path, credential), loginSecret };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
