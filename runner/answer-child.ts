import type { InputRanges } from '@platen/processing/input-ranges';
import type { Log } from './log.ts';
import type { AnswerMessage, ChildMessage } from './messages.ts';
import { JobFailure } from '@platen/processing/job-type';

type Question = ChildMessage & { readonly type: 'bring' | 'list' };

/** Answers a question of the job's process about its inputs; never throws. */
export async function answerChild(question: Question, pieces: InputRanges, log: Log): Promise<AnswerMessage> {
  const to = { type: 'answer', id: question.id } as const;
  try {
    if (question.type === 'list')
      return { ...to, members: await pieces.list(question.input, question.limit) };
    const brought = await pieces.fetch(question.piece);
    return { ...to, ...(brought && { brought }) };
  } catch (error) {
    if (error instanceof JobFailure) return { ...to, failure: { code: error.code, message: error.message } };
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC')
      return { ...to, failure: { code: 'scratchFull', message: 'The scratch disk of the runner is full.' } };
    log('warning', 'an input could not be fetched', { error: message });
    return {
      ...to,
      failure: { code: 'cannotTransfer', message: 'An input could not be fetched from the service.' },
    };
  }
}
