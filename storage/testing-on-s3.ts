import { test as nodeTest, type TestContext } from 'node:test';
import { afterAllFiles } from '../checks/clean-up.ts';
import { startS3Server, s3SkipReason } from './testing-s3-server.ts';
import { useKeysOf } from './testing-s3-store.ts';

/** Reason to skip the tests of the importing files, if any. */
export const skip = s3SkipReason();

/** Shared by all of them; undefined where they are skipped. */
export const server = (skip === undefined ? await startS3Server() : undefined)!;
afterAllFiles(async () => server?.stop());

export function test(sentence: string, run: (t: TestContext) => Promise<void>): void {
  void nodeTest(`s3: ${sentence}`, { skip }, (t) => {
    useKeysOf(server);
    return run(t);
  });
}
