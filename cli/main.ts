import { readFileSync } from 'node:fs';
import { commands } from './commands.ts';
import { generalHelp, commandHelp } from './help.ts';
import { readOptions, UsageError } from './read-options.ts';
import { runProgram } from './run-program.ts';

const usageErrorCode = 2;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`platen: ${error.message}\n`);
  process.exitCode = usageErrorCode;
}

async function run([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') return help(args[0]);
  if (name === 'version' || name === '--version') return print(`${version()}\n`);
  const command = findCommand(name);
  if (args.some((word) => word === '--help' || word === '-h')) return help(name);
  const settings = readOptions(command, args, process.env);
  return runProgram(command.program, { ...process.env, ...settings });
}

function help(name: string | undefined): number {
  return print(name === undefined ? generalHelp() : commandHelp(name, findCommand(name)));
}

function findCommand(name: string) {
  if (Object.hasOwn(commands, name)) return commands[name]!;
  const known = [...Object.keys(commands), 'help', 'version'];
  throw new UsageError(`Unknown command “${name}”. Available: ${known.join(', ')}.`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
