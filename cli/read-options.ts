import type { Command } from './commands.ts';

/** What is wrong with the command, in words for who typed it. */
export class WrongUse extends Error {}

/**
 * The settings that the words of a command mean: `--name value` or `--name=value`.
 * @throws WrongUse that names what is unknown, missing or double
 */
export function readOptions(
  command: Command,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const given = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const [name, inline] = divide(word);
    if (name === undefined) throw new WrongUse(`“${word}” is not understood: options begin with --.`);
    if (!Object.hasOwn(command.options, name)) throw new WrongUse(unknown(name, command));
    if (given.has(name)) throw new WrongUse(`--${name} stands there twice.`);
    const value = inline ?? words[++i];
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('--')))
      throw new WrongUse(`--${name} needs a value: --${name} <${command.options[name]!.value}>.`);
    given.set(name, checked(command, name, value));
  }
  const both = command.either.filter((name) => given.has(name));
  if (both.length > 1) throw new WrongUse(`Give either --${both.join(' or --')}.`);
  for (const name of command.needs) {
    const { setting, value } = command.options[name]!;
    if (!given.has(name) && !env[setting])
      throw new WrongUse(`Missing: --${name} <${value}>, or ${setting} in the environment.`);
  }
  return settingsOf(command, given);
}

function divide(word: string): [name: string | undefined, value: string | undefined] {
  const match = /^--([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(word);
  return [match?.[1], match?.[2]];
}

function unknown(name: string, { options }: Command): string {
  const known = Object.keys(options).map((option) => `--${option}`);
  return known.length === 0
    ? `There is no option --${name}: this command takes none.`
    : `There is no option --${name}. Known: ${known.join(', ')}.`;
}

function checked({ options }: Command, name: string, value: string): string {
  const { least } = options[name]!;
  if (least === undefined || (/^\d{1,10}$/.test(value) && Number(value) >= least)) return value;
  throw new WrongUse(`--${name} must be a whole number of at least ${least}, not “${value}”.`);
}

/** Of options that exclude each other, the setting of the other would still count: it is emptied. */
function settingsOf(
  { options, either }: Command,
  given: ReadonlyMap<string, string>,
): Record<string, string> {
  const isChosen = either.some((name) => given.has(name));
  const emptied = isChosen ? either.map((name): [string, string] => [options[name]!.setting, '']) : [];
  const chosen = [...given].map(([name, value]): [string, string] => [options[name]!.setting, value]);
  return Object.fromEntries([...emptied, ...chosen]);
}
