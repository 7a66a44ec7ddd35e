import type { App } from '@platen/contract/apps';
import { api } from '../api/api.ts';
import type { PublishPlan } from './publish-plan.ts';

interface Run {
  readonly plan: PublishPlan;
  readonly note: string;
  /** The release created by an earlier run that failed afterwards. */
  readonly made: string | undefined;
  readonly onMade: (releaseId: string) => void;
}

/** Runs the planned requests in order. @throws RequestFailed at the first one that is refused */
export async function runPlan(
  { projectId, _id: appId }: App,
  { plan, note, made, onMade }: Run,
): Promise<void> {
  const params = { projectId, appId };
  if (plan.withdraws) await api.deleteProjectAppPublic({ params });
  let releaseId = made;
  if (plan.release !== undefined && releaseId === undefined) {
    const body = { show: plan.release === 'shown', ...(note !== '' && { note }) };
    releaseId = (await api.postProjectAppRelease({ params, body }))._id;
    onMade(releaseId);
  }
  if (plan.unpins) await api.deleteProjectAppShownRelease({ params });
  if (!plan.publicity) return;
  const { shows, ...times } = plan.publicity;
  const named = shows === 'modules' ? { releaseId: null } : shows && releaseId ? { releaseId } : {};
  await api.putProjectAppPublic({ params, body: { ...times, ...named } });
}
