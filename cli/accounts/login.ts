import { RequestFailed } from '@platen/client/client';
import type { Invocation } from '../command.ts';
import { CommandFailure, exitCodes } from '../failures.ts';
import { UsageError } from '../read-command-line.ts';
import { isUnencrypted, serviceUrl } from '../service-url.ts';
import { anonymousApi, sessionAt } from '../session.ts';
import { readAccounts, writeAccounts, type Account } from './credentials.ts';
import { ask, readSecret } from './read-secret.ts';

type NewAccount = Omit<Account, 'username'>;

/** Stores a token after the service has accepted it, and makes the service the default one. */
export async function login(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const url = serviceUrl(invocation.option('url')!);
  const accounts = await readAccounts(terminal.env);
  if (isUnencrypted(url))
    terminal.note(`Warning: ${url} is not encrypted. Others in the network can read what you send.`);
  const account = await signIn(invocation, url);
  const { username } = await sessionAt(url, account.token).api.getUserWhoami();
  const services = { ...accounts.services, [url]: { ...account, username } };
  await writeAccounts(terminal.env, { default: url, services });
  const { expires } = account;
  terminal.json({ url, username, ...(expires !== undefined && { expires }) });
  terminal.line(`Signed in to ${url} as ${username}${expires === undefined ? '' : ` until ${expires}`}.`);
  return exitCodes.ok;
}

async function signIn({ flag, option, terminal }: Invocation, url: string): Promise<NewAccount> {
  const { streams } = terminal;
  const given = option('username');
  if (flag('token-stdin')) {
    if (given !== undefined) throw new UsageError('--token-stdin needs no --username.');
    return { kind: 'access', token: (await readSecret(streams, 'token')).trim() };
  }
  const isPiped = flag('password-stdin');
  if (isPiped && given === undefined) throw new UsageError('--password-stdin needs --username <name>.');
  const username = given ?? (await ask(streams, 'User name: ', false));
  const password = isPiped
    ? await readSecret(streams, 'password')
    : await ask(streams, `Password of ${username}: `, true);
  try {
    const { token, tokenExpires } = await anonymousApi(url).postLogin({ body: { username, password } });
    return { kind: 'login', token, expires: tokenExpires };
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 401)
      throw new CommandFailure('refused', error.message);
    throw error;
  }
}
