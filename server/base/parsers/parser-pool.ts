import { BytesError } from '@platen/formats/bytes/bytes';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { Logger } from 'pino';
import { heavyCache } from '../heavy-cache.ts';
import { createFairQueue } from './fair-queue.ts';
import { ParserStopped, parsersAreBusy, parsersAreMissing, type StopReason } from './parse-error.ts';
import type { AnswerOf, Host, HostOf, InputOf, Parse, ParseTask } from './parse-task.ts';
import {
  startParserProcess,
  type ParserConfinement,
  type ParserJob,
  type ParserProcess,
  type ProcessLimits,
} from './parser-process.ts';

export interface ParserPoolOptions extends ProcessLimits {
  /** undefined: parsers have only the rights that Node takes away taken away. */
  readonly confinement?: ParserConfinement;
  readonly maxProcesses: number;
  /** Idle processes end after this time. */
  readonly idleMs: number;
  readonly maxQueued: number;
  readonly maxQueuedOfTenant: number;
  /** Time after which a file that still waits is refused. */
  readonly maxWaitMs: number;
}

export const defaultParserOptions: ParserPoolOptions = {
  maxProcesses: 2,
  computeMs: 10_000,
  totalMs: 60_000,
  memoryMegabytes: 256,
  retireAfterMs: 100_000,
  idleMs: 30_000,
  maxQueued: 128,
  maxQueuedOfTenant: 32,
  maxWaitMs: 15_000,
};

export interface ParseRequest<P extends Parse = Parse> {
  readonly input: InputOf<P>;
  readonly host: HostOf<P>;
  /** Usually a project. Tenants take turns. */
  readonly tenant: string;
  /** Names the file in messages, at the beginning of a sentence: `The file “a.zip”`. */
  readonly file: string;
  /** Identifies content that never changes: its answer is kept, and requests at the same time share one. */
  readonly keepAs?: string;
  /** Files of the tenant that may wait; by default the limit of the pool. */
  readonly maxQueued?: number;
}

/** Counts that operators see. */
export interface ParserCounts {
  readonly queued: number;
  readonly processes: number;
  /** Parsers that were stopped since the start, by reason. */
  readonly stopped: Readonly<Record<StopReason, number>>;
  /** Files that were refused because too many were waiting. */
  readonly refused: number;
}

/**
 * Processes that parse files and responses which strangers control, so that none can block or end the service. They start
 * when they are needed.
 */
export interface ParserPool {
  /**
   * @throws ParserStopped if the file exceeds a limit, BytesError and ArchiveError for damaged files, Failure
   * `unavailable` if too many files are waiting
   */
  run<P extends Parse>(task: ParseTask<P>, request: ParseRequest<P>): Promise<AnswerOf<P>>;
  readonly counts: ParserCounts;
  close(): void;
}

interface QueuedJob extends ParserJob {
  readonly tenant: string;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  timer?: NodeJS.Timeout;
}

interface PooledProcess {
  readonly process: ParserProcess;
  tenant: string | undefined;
  idleTimer?: NodeJS.Timeout;
}

/** Memory for kept answers. */
const keptBytes = 32 * 1024 * 1024;
/** A file that cannot be parsed is not tried again for this time. */
const keepFailuresMs = 60_000;
const isLasting = (error: unknown) =>
  error instanceof ParserStopped || error instanceof BytesError || error instanceof ArchiveError;

interface Kept {
  readonly answer: unknown;
  readonly weight: number;
}

export function createParserPool(log: Logger, options: ParserPoolOptions = defaultParserOptions): ParserPool {
  const { maxProcesses, idleMs, maxWaitMs, maxQueuedOfTenant } = options;
  const queue = createFairQueue<QueuedJob>(options.maxQueued);
  const members = new Set<PooledProcess>();
  const stopped: Record<StopReason, number> = { time: 0, memory: 0, crash: 0 };
  let refused = 0;

  function refuse(): Error {
    refused += 1;
    return parsersAreBusy();
  }

  function freeProcess(): PooledProcess | undefined {
    for (const member of members) if (member.process.hasEnded) members.delete(member);
    for (const member of members) if (member.tenant === undefined) return member;
    if (members.size >= maxProcesses) return undefined;
    const member: PooledProcess = {
      process: startParserProcess(options, options.confinement),
      tenant: undefined,
    };
    members.add(member);
    return member;
  }

  /** The system has refused a process, as memory is short. */
  function refuseNext(cause: unknown): void {
    const job = queue.take(() => false)!;
    clearTimeout(job.timer);
    job.reject(parsersAreMissing(cause));
  }

  function next(): void {
    while (queue.size > 0) {
      let member: PooledProcess | undefined;
      try {
        member = freeProcess();
      } catch (cause) {
        refuseNext(cause);
        continue;
      }
      if (!member) return;
      const running = new Set([...members].map(({ tenant }) => tenant));
      void runOn(
        member,
        queue.take((tenant) => running.has(tenant))!,
      );
    }
  }

  async function runOn(member: PooledProcess, job: QueuedJob): Promise<void> {
    clearTimeout(job.timer);
    clearTimeout(member.idleTimer);
    member.tenant = job.tenant;
    try {
      job.resolve(await member.process.run(job));
    } catch (error) {
      if (error instanceof ParserStopped) {
        stopped[error.stopReason] += 1;
        log.warn({ err: error, tenant: job.tenant }, `a parser was stopped: ${error.message}`);
      }
      job.reject(error);
    }
    member.tenant = undefined;
    const end = () => {
      members.delete(member);
      member.process.end();
    };
    if (member.process.isWorn) end();
    else member.idleTimer = setTimeout(end, idleMs).unref();
    next();
  }

  function enqueue(
    { tenant, maxQueued = maxQueuedOfTenant }: Pick<ParseRequest, 'tenant' | 'maxQueued'>,
    parserJob: ParserJob,
  ): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: QueuedJob = { ...parserJob, tenant, resolve, reject };
    if (!queue.add(tenant, job, maxQueued)) return Promise.reject(refuse());
    job.timer = setTimeout(() => {
      queue.remove(tenant, job);
      reject(refuse());
    }, maxWaitMs);
    next();
    return promise;
  }

  const kept = heavyCache<Kept>(keptBytes, ({ weight }) => weight, { isLasting, keepMs: keepFailuresMs });

  return {
    run: async <P extends Parse>({ module, weightOf }: ParseTask<P>, request: ParseRequest<P>) => {
      const { input, host, file, keepAs } = request;
      const parse = () =>
        enqueue(request, { module, input, host: host as Host, file }) as Promise<AnswerOf<P>>;
      if (keepAs === undefined) return parse();
      const { answer } = await kept.get(`${module.href} ${keepAs}`, async () => {
        const made = await parse();
        return { answer: made, weight: weightOf(made) };
      });
      return answer as AnswerOf<P>;
    },
    get counts() {
      return { queued: queue.size, processes: members.size, stopped, refused };
    },
    close() {
      for (const { process, idleTimer } of members) {
        clearTimeout(idleTimer);
        process.end();
      }
      members.clear();
    },
  };
}
