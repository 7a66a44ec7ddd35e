import type { Command } from '../command.ts';
import { clientCommand } from './client-command.ts';

const login = clientCommand({
  summary: 'Sign in to a service',
  options: {
    username: { value: 'name', help: 'User name (default: asked for)' },
    'password-stdin': { help: 'Read the password from standard input' },
    'token-stdin': { help: 'Read an access token from standard input, and use it instead of a password' },
  },
  exclusive: ['password-stdin', 'token-stdin'],
  required: ['url'],
  notes: `The password is asked for and not shown. The token that the service returns is stored in a file that only you can read:
platen/credentials.json in $XDG_CONFIG_HOME or ~/.config. It is valid for a day; for scripts, create an access token.
PLATEN_URL and PLATEN_TOKEN in the environment take precedence over the file, so that scripts need not sign in.`,
  load: async () => (await import('../accounts/login.ts')).login,
});

const logout = clientCommand({
  summary: 'Sign out of a service',
  notes: `Revokes the token of “platen login” and forgets it. Access tokens of --token-stdin are forgotten but stay valid until they are
revoked in the interface.`,
  load: async () => (await import('../accounts/logout.ts')).logout,
});

const whoami = clientCommand({
  summary: 'Show the service and the user that commands use',
  notes: 'The exit code is 3 if you are not signed in.',
  load: async () => (await import('../accounts/whoami.ts')).whoami,
});

export const accountCommands: Readonly<Record<string, Command>> = { login, logout, whoami };
