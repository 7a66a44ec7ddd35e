import type { Invocation } from '../command.ts';
import { exitCodes } from '../failures.ts';
import { findApp, findProject } from '../lists/find.ts';
import { openSession } from '../session.ts';

export async function release(invocation: Invocation): Promise<number> {
  const { terminal, option, flag } = invocation;
  const session = await openSession(invocation);
  const { _id: projectId } = await findProject(session, invocation);
  const app = await findApp(session.api, projectId, invocation.args[0]!);
  const note = option('note');
  const body = { ...(note !== undefined && { note }), show: !flag('no-show') };
  const made = await session.api.postProjectAppRelease({ params: { projectId, appId: app._id }, body });
  for (const { detail } of made.warnings) terminal.note(`Warning: ${detail}`);
  terminal.json(made);
  const shown = made.isShown ? ' and is shown' : '';
  terminal.line(`Release ${made.number} of app “${app.name}” was created${shown}.`);
  return exitCodes.ok;
}
