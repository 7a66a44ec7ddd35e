import { grantCapability } from '../../identity/capabilities/store.ts';
import type { Context } from '../../base/context.ts';
import type { VisibleApp } from './visible-app.ts';

/** Not every request of a map can carry a token: of an app that is not public they go to a path that is one. */
export async function rootOfData(
  { db, now }: Context,
  { app, loginSecret }: VisibleApp,
): Promise<string | undefined> {
  if (loginSecret === undefined) return undefined;
  const { _id: appId, projectId } = app;
  const granted = await grantCapability(db, { projectId, appId, loginSecret, now: now() });
  return granted && `/data/t/${granted.secret}`;
}
