import type { Command } from './commands.ts';

/** The command line is invalid; the message is for the user. */
export class UsageError extends Error {}

/**
 * Reads `--name value` and `--name=value` into environment settings.
 * @throws UsageError for unknown, missing and repeated options
 */
export function readOptions(
  command: Command,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const values = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const [name, inline] = parseArg(arg);
    if (name === undefined) throw new UsageError(`Unexpected argument “${arg}”: options begin with --.`);
    if (!Object.hasOwn(command.options, name)) throw new UsageError(unknownOption(name, command));
    if (values.has(name)) throw new UsageError(`--${name} was given twice.`);
    const value = inline ?? args[++i];
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('--')))
      throw new UsageError(`--${name} needs a value: --${name} <${command.options[name]!.value}>.`);
    values.set(name, checkValue(command, name, value));
  }
  const both = command.exclusive.filter((name) => values.has(name));
  if (both.length > 1) throw new UsageError(`Use either --${both.join(' or --')}, not both.`);
  for (const name of command.required) {
    const { setting, value } = command.options[name]!;
    if (!values.has(name) && !env[setting])
      throw new UsageError(`Missing --${name} <${value}>, or ${setting} in the environment.`);
  }
  return settingsOf(command, values);
}

function parseArg(word: string): [name: string | undefined, value: string | undefined] {
  const match = /^--([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(word);
  return [match?.[1], match?.[2]];
}

function unknownOption(name: string, { options }: Command): string {
  const known = Object.keys(options).map((option) => `--${option}`);
  return known.length === 0
    ? `Unknown option --${name}: this command has no options.`
    : `Unknown option --${name}. Available: ${known.join(', ')}.`;
}

function checkValue({ options }: Command, name: string, value: string): string {
  const { min } = options[name]!;
  if (min === undefined || (/^\d{1,10}$/.test(value) && Number(value) >= min)) return value;
  throw new UsageError(`--${name} must be an integer of at least ${min}, not “${value}”.`);
}

/** If one of several exclusive options is given, the environment variables of the others are cleared. */
function settingsOf(
  { options, exclusive }: Command,
  values: ReadonlyMap<string, string>,
): Record<string, string> {
  const isChosen = exclusive.some((name) => values.has(name));
  const emptied = isChosen ? exclusive.map((name): [string, string] => [options[name]!.setting, '']) : [];
  const chosen = [...values].map(([name, value]): [string, string] => [options[name]!.setting, value]);
  return Object.fromEntries([...emptied, ...chosen]);
}
