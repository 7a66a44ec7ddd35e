import type { Invocation } from '../command.ts';
import { exitCodes } from '../failures.ts';
import { openSession } from '../session.ts';

export async function whoami(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { api, url } = await openSession(invocation);
  const { _id, username } = await api.getUserWhoami();
  terminal.json({ url, _id, username });
  terminal.line(`${username} at ${url}`);
  return exitCodes.ok;
}
