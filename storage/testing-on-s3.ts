import { test as nodeTest, type TestContext } from 'node:test';
import { afterAllFiles } from '../checks/after-all-files.ts';
import { startS3Server, whyNoS3Server } from './testing-s3-server.ts';
import { useKeysOf } from './testing-s3-store.ts';

/** Why the tests of the files that import this are skipped, if they are. */
export const skip = whyNoS3Server();

/** One for all of them; not there where they are skipped. */
export const server = (skip === undefined ? await startS3Server() : undefined)!;
afterAllFiles(async () => server?.stop());

export function test(sentence: string, run: (t: TestContext) => Promise<void>): void {
  void nodeTest(`s3: ${sentence}`, { skip }, (t) => {
    useKeysOf(server);
    return run(t);
  });
}
