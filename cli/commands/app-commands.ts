import type { Command } from '../command.ts';
import { projectCommand } from './client-command.ts';
import { followNotes, followOptions } from './job-commands.ts';

const app = { name: 'app', help: 'ID or name of the app' };

const appList = projectCommand({
  summary: 'List the apps of a project',
  options: { name: { value: 'text', help: 'Only those whose names contain this text' } },
  notes: 'One line for each: ID, whether it is public, and name.',
  load: async () => (await import('../lists/list-apps.ts')).listApps,
});

const appRelease = projectCommand({
  summary: 'Create a release of the current state of an app and show it',
  args: [app],
  options: {
    note: { value: 'text', help: 'What is new' },
    'no-show': { help: 'Create the release without showing it to visitors' },
  },
  notes: 'Warnings about the app are written to standard error; they do not change the exit code.',
  load: async () => (await import('../apps/release.ts')).release,
});

const appPublish = projectCommand({
  summary: 'Publish an app with its data to a server',
  args: [app],
  options: {
    task: { value: 'task', help: 'ID or name of the publishing task to run (default: the only one)' },
    credential: {
      value: 'destination',
      help: 'ID or name of a destination of the project: publish there, with a task for it',
    },
    folder: { value: 'folder', help: 'Folder at this destination; its contents are replaced' },
    ...followOptions,
  },
  exclusive: ['task', 'credential'],
  notes: `Without --credential, an existing publishing task of the app runs again, with all its options.
${followNotes}`,
  load: async () => (await import('../apps/publish.ts')).publish,
});

export const appCommands: Readonly<Record<string, Command>> = {
  'app list': appList,
  'app release': appRelease,
  'app publish': appPublish,
};
