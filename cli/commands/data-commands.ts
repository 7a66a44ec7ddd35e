import type { Command } from '../command.ts';
import { clientCommand, projectCommand } from './client-command.ts';

const nameFilter = { name: { value: 'text', help: 'Only those whose names contain this text' } };

const upload = projectCommand({
  summary: 'Upload files and folders to a data bucket',
  args: [{ name: 'file', help: 'the files and folders to upload', isRepeated: true }],
  options: {
    bucket: {
      value: 'bucket',
      help: 'ID or name of the data bucket (default: the default one of the project)',
    },
    prefix: { value: 'folder/', help: 'Folder in the data bucket (default: its root)' },
    overwrite: { help: 'Replace files that have another content' },
    'skip-existing': { help: 'Keep every file that exists, without comparing contents' },
    parallel: { value: 'number', help: 'Files that are sent at the same time (default: 3)', min: 1 },
  },
  exclusive: ['overwrite', 'skip-existing'],
  notes: `A folder keeps its name and structure; “folder/.” uploads only what it contains. Files that exist with the same content are not
sent again. A file that exists with another content is an error unless --overwrite or --skip-existing is given; all other
files are uploaded nevertheless. Links to files are followed, links to folders are not.
An upload that was interrupted continues when the same command is run again, within 72 hours.`,
  load: async () => (await import('../upload/upload.ts')).upload,
});

const projectList = clientCommand({
  summary: 'List the projects',
  options: nameFilter,
  notes: 'One line for each: ID and name.',
  load: async () => (await import('../lists/list-projects.ts')).listProjects,
});

const bucketList = projectCommand({
  summary: 'List the data buckets of a project',
  options: nameFilter,
  notes: 'One line for each: ID and name.',
  load: async () => (await import('../lists/list-buckets.ts')).listBuckets,
});

export const dataCommands: Readonly<Record<string, Command>> = {
  'project list': projectList,
  'bucket list': bucketList,
  upload,
};
