import type { Command, Option } from './command.ts';

export function generalHelp(commands: Readonly<Record<string, Command>>): string {
  const rows = [
    ...Object.entries(commands).map(([name, { summary }]) => [name, summary] as const),
    ['help', 'Show this help, or that of a command: platen help upload'] as const,
    ['version', 'Show the version'] as const,
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = rows.map(([name, summary]) => `  platen ${name.padEnd(width)}${summary}`);
  return ['Platen: publish geospatial data and maps', '', ...lines, ''].join('\n');
}

export function commandHelp(name: string, command: Command): string {
  const { summary, options, args = [], required, notes } = command;
  const rows = Object.entries(options).map(
    ([option, { setting = '', help, ...rest }]) => [`  ${usageOf(option, rest)}`, setting, help] as const,
  );
  const widest = (column: 0 | 1) => Math.max(0, ...rows.map((row) => row[column].length));
  const gap = widest(1) > 0 ? 2 : 0;
  const lines = rows.map(
    ([option, setting, help]) => `${option.padEnd(widest(0) + 2)}${setting.padEnd(widest(1) + gap)}${help}`,
  );
  const usage = [
    'platen',
    name,
    ...args.map((argument) => `<${argument.name}>${argument.isRepeated ? '…' : ''}`),
    ...required.map((option) => usageOf(option, options[option]!)),
    ...(rows.length > required.length ? ['[options]'] : []),
  ];
  return [
    usage.join(' '),
    summary,
    '',
    ...args.map((argument) => `  <${argument.name}>  ${argument.help}`),
    ...(args.length > 0 ? [''] : []),
    ...(lines.length > 0 ? [...lines, ''] : []),
    notes,
    '',
  ].join('\n');
}

const usageOf = (option: string, { value }: Pick<Option, 'value'>): string =>
  value === undefined ? `--${option}` : `--${option} <${value}>`;
