import type { Argument, Command, Option } from '../command.ts';

interface ClientCommand extends Pick<Command, 'summary' | 'load' | 'notes'> {
  readonly args?: readonly Argument[];
  readonly options?: Readonly<Record<string, Option>>;
  readonly required?: readonly string[];
  readonly exclusive?: readonly string[];
}

const urlOption: Option = {
  value: 'address',
  setting: 'PLATEN_URL',
  help: 'Address of the service (default: the one that you signed in to last)',
};

/** A command that uses the API of a service. */
export function clientCommand({ options = {}, ...command }: ClientCommand): Command {
  const json = { help: 'Write the result as JSON to standard output, everything else to standard error' };
  return { required: [], exclusive: [], ...command, options: { ...options, url: urlOption, json } };
}

/** A command for something in a project. */
export function projectCommand({ options = {}, required = [], ...command }: ClientCommand): Command {
  const project = { value: 'project', setting: 'PLATEN_PROJECT', help: 'ID or name of the project' };
  return clientCommand({ ...command, options: { project, ...options }, required: ['project', ...required] });
}
