import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../base/failure.ts';
import { sendProblem } from '../../http/problem.ts';
import { languageOf } from '../../http/language.ts';
import { messagePage, messagePolicy, statusOfMessage, type Message } from './message-page.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

export const isBrowser = ({ headers }: Request) => /\btext\/html\b/.test(headers.accept ?? '');

/** Sends a page instead of the map; other clients than browsers get a problem for `missing`. */
export function sendMessage(request: Request, reply: Reply, message: Message): unknown {
  if (message === 'missing' && !isBrowser(request)) return refuse(request, reply, 'app');
  return reply
    .code(statusOfMessage(message))
    .header('cache-control', 'no-store')
    .header('vary', 'accept, accept-language')
    .header('content-security-policy', messagePolicy)
    .header('referrer-policy', 'no-referrer')
    .header('content-type', 'text/html; charset=utf-8')
    .send(messagePage(message, languageOf(request)));
}

export function refuse(request: Request, reply: Reply, what: string): Reply {
  sendProblem(notFound(what), request, reply);
  return reply;
}
