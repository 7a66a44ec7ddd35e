import { objectStoreConformance } from './conformance.ts';
import { openS3Store } from './s3.ts';
import { server, skip } from './testing-on-s3.ts';
import { newBucket } from './testing-s3-store.ts';

objectStoreConformance('s3', async () => await openS3Store(await newBucket(server)), {
  keepsReplaced: false,
  skip,
});
