import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { tarOfParts } from './tar.ts';

test('a stream that nobody came to read is destroyed', async () => {
  const bytes = Readable.from([Buffer.from('abc')]);
  const tar = tarOfParts(Readable.from([{ path: 'a', size: 3, updatedAt: new Date(0), bytes }]));
  await tar.next();
  await tar.return(undefined);
  assert.equal(bytes.destroyed, true);
});
