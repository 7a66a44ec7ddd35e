import { eventEndpoints } from '@platen/contract/events';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../base/context.ts';
import { eventStreamType, openEventStream } from '../../http/event-stream.ts';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import { lastEventIdOf, positionOf, seenOf } from './last-event-id.ts';
import { openEvents, type Events, type EventClient } from './operations.ts';

const lastEventId = 'last-event-id';

export function eventRoutes(app: FastifyInstance, context: Context): void {
  const events = openEvents(context);
  app.addHook('preClose', () => events.close()); // streams must not delay the shutdown
  routes(eventEndpoints, {
    getProjectEvents: async (_context, { caller, params, query, http: { request, reply } }) => {
      const seen = positionOf(lastEventIdOf(request.headers[lastEventId], query.lastEventId));
      if (request.method === 'HEAD') return headersAlone();
      start(events, reply, events.ofProject(caller, { ...params, seen }));
      return undefined;
    },
    getProjectJobEvents: async (_context, { caller, params, query, http: { request, reply } }) => {
      const seen = seenOf(lastEventIdOf(request.headers[lastEventId], query.lastEventId));
      if (request.method === 'HEAD') return headersAlone();
      const following = await events.ofJob(caller, { ...params, seen });
      if (!following) return new HttpReply<void>(undefined, {}, 204);
      start(events, reply, following);
      return undefined;
    },
  })(app, context);
}

/** Headers only: the body is a stream without an end. */
const headersAlone = () => new HttpReply<void>(undefined, { 'content-type': eventStreamType }, 200);

function start(events: Events, reply: FastifyReply, following: EventClient): void {
  events.start(following, openEventStream(reply, following));
}
