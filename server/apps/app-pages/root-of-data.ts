import { grantCapability } from '../../identity/capabilities/store.ts';
import type { Context } from '../../base/context.ts';
import type { VisibleApp } from './visible-app.ts';

/**
 * The path to the data of a private app contains a capability, because not every request of a map can carry a token.
 */
export async function rootOfData(
  { db, now }: Context,
  { app, loginSecret }: VisibleApp,
): Promise<string | undefined> {
  if (loginSecret === undefined) return undefined;
  const { _id: appId, projectId } = app;
  const granted = await grantCapability(db, { projectId, appId, loginSecret, now: now() });
  return granted && `/data/t/${granted.secret}`;
}
