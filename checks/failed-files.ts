import type { TestEvent } from 'node:test/reporters';

/** A reporter of Node's test runner: the path of each file in which a test failed, one a line, again for each test. */
// oxlint-disable-next-line import/no-default-export -- the runner takes reporters so
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.todo === undefined && data.file !== undefined) yield `${data.file}\n`;
  }
}
