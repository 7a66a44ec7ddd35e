import { Failure } from '../failure.ts';

export type StopReason = 'time' | 'memory' | 'crash';

interface ParserLimits {
  readonly computeMs: number;
  readonly memoryMegabytes: number;
}

/** A parser was stopped, because a file is damaged, hostile or too complex. */
export class ParserStopped extends Failure {
  readonly stopReason: StopReason;

  constructor(stopReason: StopReason, file: string, limits: ParserLimits) {
    super('unprocessable', `${file} ${explain(stopReason, limits)}. It is damaged or too complex.`);
    this.stopReason = stopReason;
  }
}

function explain(reason: StopReason, { computeMs, memoryMegabytes }: ParserLimits): string {
  switch (reason) {
    case 'time':
      return `cannot be read within ${computeMs / 1000} seconds`;
    case 'memory':
      return `cannot be read within ${memoryMegabytes} MiB of memory`;
    case 'crash':
      return 'cannot be read: its parser has failed';
  }
}

/** Too many files are waiting to be parsed. */
export const parsersAreBusy = () =>
  new Failure('unavailable', 'Too many files are being read at the moment. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });

/** A process for parsing cannot be started, for example because memory is short. */
export const parsersAreMissing = (cause: unknown) =>
  new Failure('unavailable', 'Files cannot be read at the moment. Try again in a few seconds.', {
    cause,
    retryAfterSeconds: 5,
  });
