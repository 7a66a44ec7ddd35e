import type { App } from '@platen/contract/apps';
import type { ErrorCode, Problem } from '@platen/contract/error';
import type { Job } from '@platen/contract/jobs';
import type { Credentials, Session } from '@platen/contract/login';
import type { Project, ProjectSummary } from '@platen/contract/projects';
import type { Page } from '@platen/contract/schema';
import type { User } from '@platen/contract/users';

/** Why a request did not succeed; `offline` when no answer came at all, `unknown` when it was none of ours. */
export class ApiFailure extends Error {
  readonly code: ErrorCode | 'offline' | 'unknown';
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ApiFailure['code'], detail: string, retryAfterSeconds?: number) {
    super(detail);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const postSession = (body: Credentials) => send<Session>('POST', '/session', body);
export const deleteSession = () => send<undefined>('DELETE', '/session');
export const getUserWhoami = () => send<User>('GET', '/user/whoami');

export function getProjects(query: { readonly page: number; readonly limit: number; readonly name: string }) {
  const search = new URLSearchParams({ page: `${query.page}`, limit: `${query.limit}`, sort: 'asc' });
  search.append('orderBy', 'name');
  if (query.name) search.append('name', query.name);
  return send<Page<Project>>('GET', `/projects?${search}`);
}

export const getProjectSummary = (projectId: string) =>
  send<ProjectSummary>('GET', `${projectPath(projectId)}/summary`);
export const getProjectApps = (projectId: string) =>
  send<Page<App>>('GET', `${projectPath(projectId)}/apps?limit=100&orderBy=name&sort=asc`);
export const getProjectJobs = (projectId: string) =>
  send<Page<Job>>('GET', `${projectPath(projectId)}/jobs?limit=5`);

const projectPath = (projectId: string) => `/project/${encodeURIComponent(projectId)}`;

/** @throws ApiFailure */
async function send<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    text = await response.text();
  } catch {
    throw new ApiFailure('offline', 'No answer');
  }
  const value = parse(text);
  if (response.ok) return value as Reply;
  const problem = value as Partial<Problem> | undefined;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiFailure(
    problem?.code === undefined ? 'unknown' : (problem.code as ErrorCode),
    problem?.detail ?? `HTTP ${response.status}`,
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined; // a proxy's page in place of ours
  }
}
