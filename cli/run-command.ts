import { readFileSync } from 'node:fs';
import { commands } from './commands.ts';
import type { Command } from './command.ts';
import { describeFailure, exitCodes } from './failures.ts';
import { commandHelp, generalHelp } from './help.ts';
import { readCommandLine, UsageError } from './read-command-line.ts';
import { Terminal, type Streams } from './terminal.ts';

/** Runs what the user has typed after `platen`. @returns the exit code */
export async function runCommand(words: readonly string[], streams: Streams): Promise<number> {
  const terminal = new Terminal(streams, words.includes('--json'));
  try {
    return await dispatch(words, terminal);
  } catch (error) {
    const { exitCode, message } = describeFailure(error);
    terminal.error(message);
    return exitCode;
  } finally {
    terminal.clearStatus();
  }
}

async function dispatch(words: readonly string[], terminal: Terminal): Promise<number> {
  const [first = 'help', ...rest] = words;
  const print = (text: string) => {
    terminal.streams.output.write(text);
    return exitCodes.ok;
  };
  const isHelp = first === 'help' || first === '--help' || first === '-h';
  if (first === 'version' || first === '--version') return print(`${version()}\n`);
  if (isHelp && rest.length === 0) return print(generalHelp(commands));
  const named = isHelp ? rest : words;
  const group = groupOf(named);
  if (group) return print(generalHelp(group));
  const { name, command, words: given } = findCommand(named);
  if (isHelp || asksForHelp(given)) return print(commandHelp(name, command));
  const line = readCommandLine(command, given, terminal.env);
  const option = (option: string) => line.values.get(option) ?? settingOf(command, option, terminal);
  const run = await command.load();
  return run({ ...line, command, terminal, option, flag: (flag) => line.values.has(flag) });
}

function settingOf({ options }: Command, option: string, { env }: Terminal): string | undefined {
  const setting = options[option]?.setting;
  return (setting !== undefined && env[setting]) || undefined;
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).some((word) => word === '--help' || word === '-h');
}

/** The commands that begin with a word which is none itself, such as `task`. */
function groupOf([first = '', second]: readonly string[]): typeof commands | undefined {
  if (second !== undefined && second !== '--help' && second !== '-h') return undefined;
  const group = Object.entries(commands).filter(([name]) => name.startsWith(`${first} `));
  return group.length === 0 ? undefined : Object.fromEntries(group);
}

function findCommand(words: readonly string[]): { name: string; command: Command; words: readonly string[] } {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    if (words.length >= count && Object.hasOwn(commands, name))
      return { name, command: commands[name]!, words: words.slice(count) };
  }
  const [first = '', second = ''] = words;
  const group = Object.keys(commands).filter((name) => name.startsWith(`${first} `));
  const known = group.length > 0 ? group : [...Object.keys(commands), 'help', 'version'];
  const unknown = group.length > 0 ? `${first} ${second}` : first;
  throw new UsageError(`Unknown command “${unknown}”. Available: ${known.join(', ')}.`);
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
