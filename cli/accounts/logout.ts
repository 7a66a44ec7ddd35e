import { RequestFailed } from '@platen/client/client';
import type { Invocation } from '../command.ts';
import { CommandFailure, describeFailure, exitCodes } from '../failures.ts';
import { serviceUrl } from '../service-url.ts';
import { sessionAt } from '../session.ts';
import { readAccounts, writeAccounts } from './credentials.ts';

/** Forgets the account of a service in any case, even if its token cannot be revoked. */
export async function logout({ option, terminal }: Invocation): Promise<number> {
  const { env } = terminal;
  const { default: main, services } = await readAccounts(env);
  const given = option('url');
  const url = given === undefined ? main : serviceUrl(given);
  const account = url !== undefined && Object.hasOwn(services, url) ? services[url] : undefined;
  if (url === undefined || !account)
    throw new CommandFailure('refused', `You are not signed in${url === undefined ? '' : ` to ${url}`}.`);
  const { [url]: _, ...others } = services;
  const nextDefault = url === main ? Object.keys(others).at(-1) : main;
  await writeAccounts(env, { ...(nextDefault !== undefined && { default: nextDefault }), services: others });
  const isRevoked = account.kind === 'login';
  if (isRevoked) await revoke(url, account.token);
  else terminal.note('The access token stays valid. Revoke it in the interface if nobody else uses it.');
  terminal.json({ url, isRevoked });
  terminal.line(`Signed out of ${url}.`);
  return exitCodes.ok;
}

async function revoke(url: string, token: string): Promise<void> {
  try {
    await sessionAt(url, token).api.getLogout();
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 401) return; // it has expired
    const { message } = describeFailure(error);
    throw new CommandFailure('failed', `The token was forgotten, but not revoked: ${message}`);
  }
}
