import type { Command } from './command.ts';
import { accountCommands } from './commands/account-commands.ts';
import { appCommands } from './commands/app-commands.ts';
import { dataCommands } from './commands/data-commands.ts';
import { jobCommands } from './commands/job-commands.ts';
import { serviceCommands } from './commands/service-commands.ts';

/** By what the user types, in the order of the help. */
export const commands: Readonly<Record<string, Command>> = {
  ...serviceCommands,
  ...accountCommands,
  ...dataCommands,
  ...jobCommands,
  ...appCommands,
};
