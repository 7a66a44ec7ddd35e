import { after, before, test as nodeTest, type TestContext } from 'node:test';
import { startS3Server, whyNoS3Server, type S3Server } from './testing-s3-server.ts';
import { useKeysOf } from './testing-s3-store.ts';

/** Why the tests of the file that imports this are skipped, if they are. */
export const skip = whyNoS3Server();

/** One for all tests of that file; there once they run. */
export let server: S3Server;
before(async () => {
  if (skip) return;
  server = await startS3Server();
  useKeysOf(server);
});
after(() => server?.stop());

export function test(sentence: string, run: (t: TestContext) => Promise<void>): void {
  void nodeTest(`s3: ${sentence}`, { skip }, run);
}
