import { readFileSync } from 'node:fs';
import { commands } from './commands.ts';
import { generalHelp, helpOf } from './help.ts';
import { readOptions, WrongUse } from './read-options.ts';
import { runProgram } from './run-program.ts';

const wrongUse = 2;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WrongUse)) throw error;
  process.stderr.write(`platen: ${error.message}\n`);
  process.exitCode = wrongUse;
}

async function run([name = 'help', ...words]: readonly string[]): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') return help(words[0]);
  if (name === 'version' || name === '--version') return say(`${version()}\n`);
  const command = commandOf(name);
  if (words.some((word) => word === '--help' || word === '-h')) return help(name);
  const settings = readOptions(command, words, process.env);
  return runProgram(command.program, { ...process.env, ...settings });
}

function help(name: string | undefined): number {
  return say(name === undefined ? generalHelp() : helpOf(name, commandOf(name)));
}

function commandOf(name: string) {
  if (Object.hasOwn(commands, name)) return commands[name]!;
  const known = [...Object.keys(commands), 'help', 'version'];
  throw new WrongUse(`There is no command “${name}”. Known: ${known.join(', ')}.`);
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
