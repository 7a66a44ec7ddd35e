import type { Endpoint } from '@platen/contract/endpoint';
import { Failure, notFound } from '../../base/failure.ts';

interface AccessTokenRow {
  readonly user_id: string;
  readonly scope: 'read' | 'write';
  /** The only project in which it can be used; null: all projects of the user. */
  readonly token_project_id: string | null;
}

/**
 * Refuses what access tokens may not do: they work in projects, but manage neither people nor tokens nor the service, as
 * whoever finds one could otherwise stay for longer than it lives.
 * @param method absent if another check of the same request has seen it
 * @throws Failure `forbidden`, or `not_found` for another project than that of the token
 */
export function requireTokenReach(
  {
    method,
    access,
    accessTokens,
  }: Pick<Endpoint, 'access' | 'accessTokens'> & Partial<Pick<Endpoint, 'method'>>,
  projectId: string | undefined,
  { user_id: actorId, scope, token_project_id: only }: AccessTokenRow,
): void {
  const refused = (message: string) => new Failure('forbidden', message, { actorId });
  if (only !== null && projectId !== undefined && projectId !== only) throw notFound('project');
  if (scope === 'read' && method !== undefined && method !== 'GET' && method !== 'HEAD')
    throw refused('This access token may only read. Use one with the scope “write”.');
  const managesAccess =
    typeof access === 'object' && (access.permission === 'grantRole' || access.permission === 'revokeRole');
  const isOfProject = typeof access === 'object' && projectId !== undefined;
  if (managesAccess || (!isOfProject && accessTokens === undefined))
    throw refused('Access tokens cannot do this. Sign in with your password.');
  if (projectId === undefined && accessTokens === 'unlimited' && only !== null)
    throw refused('This access token can be used in its project only.');
}
