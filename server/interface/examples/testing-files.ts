import { cities } from '../../jobs/tasks/testing.ts';
import type { Recorder } from './testing-recorder.ts';

const boundary = 'example';
const part = (name: string, content: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n`;
const tus = { 'tus-resumable': '1.0.0' };

/** Files of data buckets, their revisions, and resumable uploads. */
export async function recordFiles({ call, ids }: Recorder): Promise<void> {
  const upload = (name: string, content: string) =>
    call('postProjectDataBucketUpload', {
      query: { overwrite: true },
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: Buffer.from(`${part(name, content)}--${boundary}--\r\n`),
    });
  const { _id } = await call('postProjectDataBucket', { body: { name: 'Surveys', description: 'By year' } });
  await call('putProjectDataBucket', {
    path: { dataBucketId: _id },
    body: { description: 'By year and area' },
  });
  await call('deleteProjectDataBucket', { path: { dataBucketId: _id } });
  await upload('piers.geojson', cities);
  await upload('piers.geojson', `${cities}\n`);
  await upload('old.geojson', cities);
  await upload('folder/one.geojson', cities);
  await call('postProjectDataBucketObject', { query: { key: 'notes.txt' } });
  await call('postProjectDataBucketObjectCopy', {
    body: { key: 'piers.geojson', to: 'copies/piers.geojson' },
  });
  await call('postProjectDataBucketObjectMove', { body: { key: 'copies/', to: 'archive/' } });
  await call('deleteProjectDataBucketObject', { query: { key: 'old.geojson' } });

  await call('optionsProjectDataBucketTus');
  const start = async () => {
    const metadata = `key ${Buffer.from('quays.geojson').toString('base64')},overwrite dHJ1ZQ==`;
    const { location } = await call('postProjectDataBucketTus', {
      headers: { ...tus, 'upload-length': '5', 'upload-metadata': metadata },
    });
    return (location as string).split('/').at(-1)!;
  };
  ids['uploadId'] = await start();
  await call('headProjectDataBucketTus', { headers: tus });
  await call('getProjectDataBucketUploads');
  await call('patchProjectDataBucketTus', {
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: Buffer.from('12345'),
  });
  ids['uploadId'] = await start();
  await call('deleteProjectDataBucketTus', { headers: tus });
}
