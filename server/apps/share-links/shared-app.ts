import type { App } from '@platen/contract/apps';
import { engineModules, engineStyles, findEngine } from '@platen/viewer/engines';
import { appPage } from '@platen/viewer/page';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from '../../http/language.ts';
import type { DrawPicture } from '../app-pictures/drawn-picture.ts';
import { sendDrawn } from '../app-pages/preview.ts';
import { pageContentOf } from '../app-pages/page-content.ts';
import { policyOf } from '../app-pages/policy.ts';
import { refuse, sendMessage } from '../app-pages/send-message.ts';
import { sendMadeConfig } from '../app-pages/send-config.ts';
import { sendText } from '../app-pages/send-text.ts';
import { loadContent, type MapContent } from '../content.ts';
import { viewerConfig } from '../load.ts';
import { findAppAnywhere } from '../store.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import { sendProblem } from '../../http/problem.ts';
import { secretive, sendEnded } from './messages.ts';
import { dataSecretOf, findVisitedLink, openVisit, type VisitedLink, type VisitAddress } from './visits.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

/** The page of the map viewer for a visitor. It reveals only the name of the app. */
export async function sendSharedPage(
  context: Context,
  link: VisitedLink,
  request: Request,
  reply: Reply,
): Promise<unknown> {
  const found = await findShared(context.db, link).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'too_large') return 'tooLarge' as const;
    throw error;
  });
  if (found === 'tooLarge') return sendMessage(request, reply, found);
  if (!found) return sendEnded(request, reply, link.allowed_origins);
  const { app, shown } = found;
  const engine = shown.engineVersion === undefined ? undefined : findEngine(shown.engineVersion);
  if (!engine) return sendMessage(request, reply, 'engineMissing');
  const { token, visit } = request.params as VisitAddress;
  const html = appPage({
    appId: app._id,
    title: shown.name,
    description: shown.description,
    engineVersion: engine.version,
    preload: [...engineModules(engine), ...engineStyles(engine)],
    language: languageOf(request),
    configPath: `/share/${token}/${visit}/app.config.json`,
    poster: `/share/${token}/${visit}/preview.png`,
    isSecret: true,
  });
  const { hosts } = await pageContentOf(context.db, app, shown);
  const policy = policyOf(context, request, { hosts, frameOrigins: link.allowed_origins });
  void reply.headers(secretive).header('content-security-policy', policy);
  return sendText(request, reply, {
    app: { ...app, isPublic: false },
    text: html,
    type: 'text/html; charset=utf-8',
    tag: html + policy,
    variesBy: 'accept-language',
  });
}

/** What the page shows until its map has loaded. */
export async function sendSharedPicture(
  { db }: Context,
  draw: DrawPicture,
  link: VisitedLink,
  { request, reply }: { readonly request: Request; readonly reply: Reply },
): Promise<unknown> {
  const found = await findShared(db, link).catch(() => undefined); // the page says what is wrong with it
  if (!found) return refuse(request, reply, 'app');
  return sendDrawn(db, draw, { app: found.app, content: found.shown }, { request, reply });
}

/** Reading the configuration turns a visit into a use of the link; from then on the visit opens the data. */
export async function sendSharedConfig(context: Context, request: Request, reply: Reply): Promise<unknown> {
  const { db, now } = context;
  const address = request.params as VisitAddress;
  void reply.headers(secretive);
  const link = await findVisitedLink(db, address.token, now());
  if (!link) return refuse(request, reply, 'app');
  const found = link.is_over ? undefined : await findShared(db, link);
  if (!found || !(await openVisit(db, link, address, now()))) {
    sendProblem(new Failure('not_found', 'This link no longer opens the map.'), request, reply);
    return reply;
  }
  const { app, shown } = found;
  const config = await viewerConfig(db, app.projectId, shown, `/data/t/${dataSecretOf(address)}`);
  return sendMadeConfig(request, reply, { ...config, isPublic: false });
}

interface SharedContent {
  readonly app: App;
  readonly shown: MapContent;
}

/** undefined if the release no longer exists. @throws Failure `too_large` */
async function findShared(db: Db, { app_id: appId, shows }: VisitedLink): Promise<SharedContent | undefined> {
  const app = await findAppAnywhere(db, appId);
  const shown = app && (await loadContent(db, app, shows));
  return shown && { app, shown };
}
