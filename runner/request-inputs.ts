import type { InputRanges } from '@platen/processing/input-ranges';
import { JobFailure } from '@platen/processing/job-type';
import type { AnswerMessage, ChildMessage } from './messages.ts';

type Question =
  | Omit<ChildMessage & { readonly type: 'bring' }, 'id'>
  | Omit<ChildMessage & { readonly type: 'list' }, 'id'>;

/** Requests inputs of the job from the runner on demand. */
export function requestInputs(runner: NodeJS.Process): InputRanges {
  const waiting = new Map<number, (answer: AnswerMessage) => void>();
  let questions = 0;
  runner.on('message', (message) => {
    const answer = message as AnswerMessage;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const ask = async (question: Question): Promise<AnswerMessage> => {
    const id = ++questions;
    const answered = new Promise<AnswerMessage>((resolve) => waiting.set(id, resolve));
    runner.send!({ ...question, id });
    const answer = await answered;
    if (answer.failure) throw new JobFailure(answer.failure.code, answer.failure.message);
    return answer;
  };
  return {
    fetch: async (piece) => (await ask({ type: 'bring', piece })).brought,
    list: async (input, limit) => (await ask({ type: 'list', input, limit })).members ?? [],
  };
}
