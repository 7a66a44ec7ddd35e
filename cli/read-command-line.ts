import type { Command, CommandLine } from './command.ts';

/** The command line is invalid; the message is for the user. */
export class UsageError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads arguments, `--name value`, `--name=value` and flags. Everything after `--` is an argument.
 * @throws UsageError for unknown, missing and repeated options, and for missing and unexpected arguments
 */
export function readCommandLine(command: Command, words: readonly string[], env: Environment): CommandLine {
  const values = new Map<string, string>();
  const args: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--') {
      args.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith('--')) {
      args.push(word);
      continue;
    }
    const [name, inline] = parseOption(word);
    if (!Object.hasOwn(command.options, name)) throw new UsageError(unknownOption(name, command));
    if (values.has(name)) throw new UsageError(`--${name} was given twice.`);
    if (command.options[name]!.value === undefined) {
      if (inline !== undefined) throw new UsageError(`--${name} takes no value.`);
      values.set(name, 'true');
      continue;
    }
    const value = inline ?? words[++i];
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('--')))
      throw new UsageError(`--${name} needs a value: --${name} <${command.options[name]!.value}>.`);
    values.set(name, checkValue(command, name, value));
  }
  checkArguments(command, args);
  checkOptions(command, values, env);
  return { args, values };
}

function checkArguments({ args: expected = [] }: Command, args: readonly string[]): void {
  const missing = expected[args.length];
  if (missing) throw new UsageError(`Missing <${missing.name}>: ${missing.help}.`);
  if (args.length <= expected.length || expected.at(-1)?.isRepeated) return;
  const hint = expected.length === 0 ? ': options begin with --' : '';
  throw new UsageError(`Unexpected argument “${args[expected.length]}”${hint}.`);
}

function checkOptions(
  { exclusive, required, options }: Command,
  values: CommandLine['values'],
  env: Environment,
) {
  const both = exclusive.filter((name) => values.has(name));
  if (both.length > 1) throw new UsageError(`Use either --${both.join(' or --')}, not both.`);
  for (const name of required) {
    const { setting, value } = options[name]!;
    if (values.has(name) || (setting !== undefined && env[setting])) continue;
    const alternative = setting === undefined ? '' : `, or ${setting} in the environment`;
    throw new UsageError(`Missing --${name} <${value}>${alternative}.`);
  }
}

function parseOption(word: string): [name: string, value: string | undefined] {
  const at = word.indexOf('=');
  return at === -1 ? [word.slice(2), undefined] : [word.slice(2, at), word.slice(at + 1)];
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

/**
 * Environment variables for a program that reads its settings there. If one of several exclusive options is given, the
 * variables of the others are cleared.
 */
export function settingsOf(
  { options, exclusive }: Command,
  values: CommandLine['values'],
): Record<string, string> {
  const isChosen = exclusive.some((name) => values.has(name));
  const emptied = isChosen ? exclusive.map((name): [string, string] => [options[name]!.setting!, '']) : [];
  const chosen = [...values].map(([name, value]): [string, string] => [options[name]!.setting!, value]);
  return Object.fromEntries([...emptied, ...chosen]);
}
