import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { verifyPassword } from '../../base/secrets/passwords.ts';
import { requestOriginOf } from '../../http/credentials.ts';
import { newSecret } from '../../base/secrets/bearer-secrets.ts';
import { forgetAttempt, shareLinkAttempt, tryPassword } from '../../identity/login/throttle.ts';
import { secretive, sendEnded, sendForm, sendNoLink } from './messages.ts';
import type { DrawPicture } from '../app-pictures/drawn-picture.ts';
import { refuse } from '../app-pages/send-message.ts';
import { sendSharedConfig, sendSharedPage, sendSharedPicture } from './shared-app.ts';
import { admitVisitor, isVisiting, findVisitedLink, type VisitAddress, type VisitedLink } from './visits.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

const maxFormBytes = 8 * 1024;

/**
 * Pages of share links. They work without cookies, so also in frames of other sites. The link leads to the address of
 * a visit, which can be reloaded; only loading its configuration counts as a use.
 */
export function registerSharePages(app: FastifyInstance, context: Context, draw: DrawPicture): void {
  app.get('/share/:token', (request, reply) => begin(context, request, reply));
  app.post('/share/:token', { bodyLimit: maxFormBytes }, (request, reply) => enter(context, request, reply));
  app.get('/share/:token/:visit', (request, reply) => visit(context, request, reply));
  app.get('/share/:token/:visit/preview.png', async (request, reply) => {
    void reply.headers(secretive);
    const link = await findLink(context, request);
    const isShown = link && (await reasonToRefuse(context, link, request)) === undefined;
    return isShown
      ? sendSharedPicture(context, draw, link, { request, reply })
      : refuse(request, reply, 'app');
  });
  const url = '/share/:token/:visit/app.config.json';
  // a HEAD would be a use without a map
  app.get(url, { exposeHeadRoute: false }, (request, reply) => sendSharedConfig(context, request, reply));
}

async function begin(context: Context, request: Request, reply: Reply): Promise<unknown> {
  if (lacksSlash(request)) return redirectToFolder(request, reply);
  const link = await findLink(context, request);
  if (!link) return sendNoLink(request, reply);
  const frames = link.allowed_origins;
  if (link.is_over || link.is_used_up) return sendEnded(request, reply, frames);
  if (link.password_hash !== null) return sendForm(request, reply, { frames });
  return redirectTo(request, reply, newSecret());
}

/** The form with the password. */
async function enter(context: Context, request: Request, reply: Reply): Promise<unknown> {
  const link = await findLink(context, request);
  if (!link) return sendNoLink(request, reply);
  const frames = link.allowed_origins;
  if (link.is_over || link.is_used_up) return sendEnded(request, reply, frames);
  if (link.password_hash === null) return redirectTo(request, reply, newSecret());
  try {
    const secret = await letIn(context, link, request);
    if (secret !== undefined) return redirectTo(request, reply, secret);
    return sendForm(request, reply, { frames, complaint: 'wrong' });
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'too_many_requests')) throw error;
    await recordThrottling(context, link, request);
    void reply.header('retry-after', error.retryAfterSeconds);
    return sendForm(request, reply, { frames, complaint: 'tooMany' });
  }
}

function recordThrottling(
  { repeatedAudit, now }: Context,
  link: VisitedLink,
  request: Request,
): Promise<void> {
  const caller = { userId: '', ...requestOriginOf(request) };
  const entry = { now: now(), caller, projectId: link.project_id, targetId: link.id };
  return repeatedAudit.record({ ...entry, action: 'shareLink.throttle', detail: { appId: link.app_id } });
}

/** @returns the secret of a new visit; undefined: the password is wrong. @throws Failure `too_many_requests` */
async function letIn(context: Context, link: VisitedLink, request: Request): Promise<string | undefined> {
  const { token } = request.params as { token: string };
  const { db, now, settings } = context;
  const attempt = shareLinkAttempt(link.id, request.ip, now());
  const { password } = (request.body ?? {}) as { password?: unknown };
  const isRight = await tryPassword(
    context,
    attempt,
    async () =>
      typeof password === 'string' &&
      verifyPassword(link.password_hash ?? undefined, { password }, settings.passwordCost, 'stranger'),
  );
  const secret = isRight ? await admitVisitor(db, link, token, now()) : undefined;
  if (secret !== undefined) await forgetAttempt(db, attempt);
  return secret;
}

async function visit(context: Context, request: Request, reply: Reply): Promise<unknown> {
  if (lacksSlash(request)) return redirectToFolder(request, reply);
  const link = await findLink(context, request);
  if (!link) return sendNoLink(request, reply);
  if (link.is_over) return sendEnded(request, reply, link.allowed_origins);
  const reason = await reasonToRefuse(context, link, request);
  if (reason === 'ended') return sendEnded(request, reply, link.allowed_origins);
  if (reason === 'password') return redirectTo(request, reply);
  return sendSharedPage(context, link, request, reply);
}

/** Why a visit does not see the map; undefined if it does. */
async function reasonToRefuse(
  { db, now }: Context,
  link: VisitedLink,
  request: Request,
): Promise<'ended' | 'password' | undefined> {
  if (link.is_over) return 'ended';
  if (await isVisiting(db, link, request.params as VisitAddress, now())) return undefined;
  if (link.is_used_up) return 'ended';
  return link.password_hash === null ? undefined : 'password';
}

/** Finds the link of the requested address; undefined also if the address is malformed. */
async function findLink({ db, now }: Context, request: Request): Promise<VisitedLink | undefined> {
  const { token, visit: secret } = request.params as { token: string; visit?: string };
  const isAddress = [token, secret].every((part) => part === undefined || /^[\w-]{43}$/.test(part));
  return isAddress ? findVisitedLink(db, token, now()) : undefined;
}

/** Relative addresses of the page must resolve below it. */
function redirectToFolder(request: Request, reply: Reply): Reply {
  const [path, search] = partsOf(request);
  return reply.headers(secretive).redirect(`${path}/${search}`, 308);
}

/** Redirects to a visit, or without a secret to the start page, and keeps the query that the map viewer has set. */
function redirectTo(request: Request, reply: Reply, secret?: string): Reply {
  const { token } = request.params as { token: string };
  const path = secret === undefined ? `/share/${token}/` : `/share/${token}/${secret}/`;
  return reply.headers(secretive).redirect(path + partsOf(request)[1], 303);
}

const lacksSlash = (request: Request) => !partsOf(request)[0].endsWith('/');

function partsOf({ url }: Request): [path: string, search: string] {
  const start = url.indexOf('?');
  return start < 0 ? [url, ''] : [url.slice(0, start), url.slice(start)];
}
