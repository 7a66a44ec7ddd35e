import { shapeOf, type ReferenceOperation } from './testing-facts.ts';
import { answerDifferences } from './testing-values.ts';

export interface Reply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What a reply has otherwise than the reference documents it. */
export function differencesOf({ status, alsoStatus, answer }: ReferenceOperation, reply: Reply): string[] {
  const found: string[] = [status, alsoStatus].includes(reply.statusCode) ? [] : [`status ${status}`];
  if (reply.statusCode >= 400) return found;
  const received = answer && shapeOf(answer);
  if (received) {
    const value = reply.body === '' ? undefined : (JSON.parse(reply.body) as unknown);
    if (!received.isList) return [...found, ...answerDifferences(value, received.shape)];
    if (!Array.isArray(value)) return [...found, 'answer[]'];
    return [...found, ...value.flatMap((item) => answerDifferences(item, received.shape, 'answer[]'))];
  }
  if (answer?.media && !String(reply.headers['content-type']).startsWith(answer.media))
    found.push(`media ${answer.media}`);
  return found;
}
