// A test of object storage.

import { objectStoreConformance } from './conformance.ts';
import { openS3Store } from './s3.ts';
import { server, skip } from './testing-on-s3.ts';
import { newBucket, useKeysOf } from './testing-s3-store.ts';

const open = async () => {
  useKeysOf(server);
  return openS3Store(await newBucket(server));
};
objectStoreConformance('s3', open, { keepsReplaced: false, skip });
