import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseS3Setting } from './s3-setting.ts';

test('a setting for S3 names a bucket, and may name a prefix, an endpoint and a region', () => {
  const nothing = { endpoint: undefined, region: undefined };
  assert.deepEqual(parseS3Setting('s3://maps'), { bucket: 'maps', prefix: '', ...nothing });
  assert.deepEqual(parseS3Setting('s3://maps/'), { bucket: 'maps', prefix: '', ...nothing });
  assert.deepEqual(parseS3Setting('s3://my.maps-2/a/b_c/?region=eu-central-1'), {
    bucket: 'my.maps-2',
    prefix: 'a/b_c/',
    endpoint: undefined,
    region: 'eu-central-1',
  });
  for (const endpoint of ['https://s3.example.org', 'http://127.0.0.1:9000', 'http://[::1]:9000/']) {
    const parsed = parseS3Setting(`s3://maps?endpoint=${encodeURIComponent(endpoint)}`);
    assert.equal(parsed.endpoint, endpoint.replace(/\/$/, ''));
    assert.deepEqual(parseS3Setting(`s3://maps?endpoint=${endpoint}`), parsed, 'escaped or not');
  }
});

test('an invalid setting is refused with the reason', () => {
  for (const [setting, what] of [
    ['s3://', /name of the bucket is not valid/],
    ['s3:bucket', /name of the bucket is not valid/],
    ['s3://Bucket', /name of the bucket is not valid/],
    ['s3://bucket_name', /name of the bucket is not valid/],
    ['s3://bucket:9000', /name of the bucket is not valid/],
    ['s3://bucket/a//b', /the prefix may/],
    ['s3://bucket/a%2f..%2fb', /the prefix may/],
    ['s3://bucket/ä', /the prefix may/],
    ['s3://bucket?endpoint=s3.example.org', /must be an address/],
    ['s3://bucket?endpoint=ftp://s3.example.org', /must be an address/],
    ['s3://bucket?endpoint=https://s3.example.org/path', /must have the form https/],
    ['s3://bucket?endpont=https://s3.example.org', /“endpont” is not known/],
    ['s3://bucket#x', /must not contain #/],
  ] as const) {
    assert.throws(() => parseS3Setting(setting), what, setting);
  }
});

test('credentials in a setting are refused, and not repeated', () => {
  for (const setting of [
    's3://AKIAKEY:geheim@bucket',
    's3://bucket?accessKeyId=AKIAKEY&secretAccessKey=geheim',
    's3://bucket?secretAccessKey=geheim',
    's3://bucket?endpoint=https://AKIAKEY:geheim@s3.example.org',
    's3://bucket?token=geheim',
  ]) {
    assert.throws(
      () => parseS3Setting(setting),
      (error: Error) =>
        error.message.startsWith('The storage setting') && !/geheim|AKIAKEY/.test(error.message),
    );
  }
});
