import type { Credential } from '@platen/contract/credentials';

type Target = Pick<
  Credential,
  'type' | 'folder' | 'host' | 'port' | 'isSecure' | 'endpoint' | 'bucket' | 'prefix'
>;

/** The destination of credentials as a URL: `sftp://maps.example.org:2222/var/www`. */
export function targetOf(credential: Target): string {
  const { type, folder = '', host = '', port, endpoint, bucket = '', prefix = '' } = credential;
  if (type === 'fs') return folder;
  if (type === 's3') {
    const place = [bucket, prefix].filter(Boolean).join('/');
    return endpoint === undefined ? `s3://${place}` : `${endpoint.replace(/\/$/, '')}/${place}`;
  }
  const scheme = type === 'ftp' && credential.isSecure !== false ? 'ftps' : type;
  const server = `${scheme}://${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;
  return folder === '' ? server : `${server}/${folder.replace(/^\//, '')}`;
}
