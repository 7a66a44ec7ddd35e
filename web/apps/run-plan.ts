import type { App } from '@platen/contract/apps';
import type { ProblemDetail } from '@platen/contract/error';
import { api } from '../api/api.ts';
import type { PublishPlan } from './publish-plan.ts';

interface RunOptions {
  readonly plan: PublishPlan;
  readonly note: string;
  /** The release created by an earlier run that failed afterwards. */
  readonly created: string | undefined;
  readonly onCreated: (releaseId: string) => void;
}

/** Runs the planned requests in order. @returns what the service warns of @throws RequestFailed at the first one that is refused */
export async function runPlan(
  { projectId, _id: appId }: App,
  { plan, note, created, onCreated }: RunOptions,
): Promise<readonly ProblemDetail[]> {
  const params = { projectId, appId };
  if (plan.withdraws) await api.deleteProjectAppPublic({ params });
  let releaseId = created;
  let warnings: readonly ProblemDetail[] = [];
  if (plan.release !== undefined && releaseId === undefined) {
    const body = { show: plan.release === 'shown', ...(note !== '' && { note }) };
    ({ _id: releaseId, warnings } = await api.postProjectAppRelease({ params, body }));
    onCreated(releaseId);
  }
  if (plan.unpins) await api.deleteProjectAppShownRelease({ params });
  if (!plan.visibility) return warnings;
  const { shows, ...times } = plan.visibility;
  const named = shows === 'modules' ? { releaseId: null } : shows && releaseId ? { releaseId } : {};
  const published = await api.putProjectAppPublic({ params, body: { ...times, ...named } });
  return published.warnings ?? warnings;
}
