import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from '../context.ts';

/** An import would evaluate all exports of this module, and load the implementation of `fetch`: 30 ms at each start. */
const { createServer } = process.getBuiltinModule('node:http');

/** Metrics of the service for Prometheus. */
export interface Metrics {
  /** Serves `GET /metrics` on a separate port, which need not be public. */
  listen(host: string, port: number): Promise<Server>;
}

/** Counts and times requests by route, not by address, as addresses contain ids and tokens. */
export function measureRequests(app: FastifyInstance, context: Context): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'platen_' });
  const seconds = new Histogram({
    name: 'platen_http_request_duration_seconds',
    help: 'Time from the request to the end of the reply',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  new Gauge({
    name: 'platen_jobs',
    help: 'Jobs by state; finished ones of the last hour only',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { state, count } of await countJobs(context)) this.set({ state }, count);
    },
  });
  measureParsers(registry, context);
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: String(reply.statusCode),
    };
    seconds.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  return { listen: (host, port) => listen(registry, host, port) };
}

function measureParsers(registry: Registry, { parsers }: Context): void {
  new Gauge({
    name: 'platen_parser_queue_length',
    help: 'Files that wait to be parsed',
    registers: [registry],
    collect() {
      this.set(parsers.counts.queued);
    },
  });
  new Gauge({
    name: 'platen_parser_processes',
    help: 'Processes that parse files, or wait for more',
    registers: [registry],
    collect() {
      this.set(parsers.counts.processes);
    },
  });
  new Counter({
    name: 'platen_parser_stopped_total',
    help: 'Parsers that were stopped because a file exceeded a limit, or that failed',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(parsers.counts.stopped)) this.inc({ reason }, count);
    },
  });
  new Counter({
    name: 'platen_parser_refused_total',
    help: 'Files that were not parsed because too many were waiting',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(parsers.counts.refused);
    },
  });
}

async function countJobs({ db, now }: Context): Promise<{ state: string; count: number }[]> {
  const hourAgo = new Date(now().getTime() - 3_600_000);
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*) from job where state in ('queued', 'running') or end_time > ${hourAgo}
    group by state`.execute(db);
  return rows;
}

async function listen(registry: Registry, host: string, port: number): Promise<Server> {
  const server = createServer((request, reply) => {
    if (request.url !== '/metrics') return void reply.writeHead(404).end();
    registry.metrics().then(
      (text) => reply.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => reply.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server;
}
