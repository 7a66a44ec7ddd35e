import type {
  Credential,
  CredentialChange,
  CredentialType,
  NewCredential,
} from '@platen/contract/credentials';
import type { Target } from '../../base/database/schema.ts';
import { inOwnSpelling, type Spelling } from '../../base/spellings.ts';

const folder = { own: 'folder', alias: 'defaultPath' };
const login = { own: 'loginCredentialId', alias: 'loginId' };
const spellings: Readonly<Record<CredentialType, readonly Spelling[]>> = {
  fs: [folder],
  ftp: [folder, login, { own: 'isSecure', alias: 'noTLS', toOwn: (value: boolean) => !value }],
  sftp: [folder, login],
  s3: [{ own: 'prefix', alias: 'defaultPath' }, { own: 'bucket', alias: 'host' }, login],
};

/** The body without aliases. */
export function credentialInOwnSpelling<B extends NewCredential | CredentialChange>(
  body: B,
  type: CredentialType,
  stored?: Credential,
): B {
  return inOwnSpelling(body, spellings[type], stored);
}

type Aliases = Pick<Credential, 'gzip' | 'defaultPath'> &
  Partial<Pick<Credential, 'host' | 'noTLS' | 'params'>>;

/** Where credentials lead, under the other names. */
export function aliasesOf(type: CredentialType, target: Target): Aliases {
  const { gzip = false, bucket, isSecure = true, params = [] } = target;
  return {
    gzip,
    defaultPath: target.folder ?? target.prefix ?? '',
    ...(type === 's3' && { host: bucket!, params: [...params] }),
    ...(type === 'ftp' && { noTLS: !isSecure }),
  };
}
