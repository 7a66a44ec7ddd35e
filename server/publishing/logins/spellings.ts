import type {
  LoginCredentialChange,
  LoginType,
  NewLoginCredential,
} from '@platen/contract/login-credentials';
import type { LoginFacts } from '@platen/contract/login-credentials';
import { inOwnSpelling } from '../../base/spellings.ts';

const names = {
  aws: { access: 'accessKeyId', secret: 'secretAccessKey' },
  userPassword: { access: 'username', secret: 'password' },
  sshKey: { access: 'username', secret: 'privateKey' },
} as const satisfies Record<LoginType, { access: keyof LoginFacts; secret: string }>;

/** What the type calls the one who logs in. */
export const accessOf = (type: LoginType, login: LoginFacts): string | undefined => login[names[type].access];

/** The body of a login without aliases. */
export function loginInOwnSpelling<B extends NewLoginCredential | LoginCredentialChange>(
  body: B,
  type: LoginType,
  stored: LoginFacts = {},
): B {
  const { access, secret } = names[type];
  return inOwnSpelling(
    body,
    [
      { own: access, alias: 'access' },
      { own: secret, alias: 'secret' },
    ],
    stored,
  );
}
