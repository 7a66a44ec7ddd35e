import { commands, type Command } from './commands.ts';

export function generalHelp(): string {
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  platen ${name.padEnd(10)}${summary}`,
  );
  return [
    'Platen: publish geospatial data and maps',
    '',
    ...lines,
    `  platen ${'help'.padEnd(10)}Show this help, or that of a command: platen help runner`,
    `  platen ${'version'.padEnd(10)}Show the version`,
    '',
  ].join('\n');
}

export function commandHelp(name: string, { summary, options, required, notes }: Command): string {
  const rows = Object.entries(options).map(
    ([option, { value, setting, help }]) => [`  --${option} <${value}>`, setting, help] as const,
  );
  const widest = (column: 0 | 1) => Math.max(0, ...rows.map((row) => row[column].length));
  const lines = rows.map(
    ([option, setting, help]) => `${option.padEnd(widest(0) + 2)}${setting.padEnd(widest(1) + 2)}${help}`,
  );
  const requiredOptions = required.map((option) => ` --${option} <${options[option]!.value}>`).join('');
  return [
    `platen ${name}${requiredOptions}${rows.length > required.length ? ' [options]' : ''}`,
    summary,
    '',
    ...(lines.length > 0 ? [...lines, ''] : []),
    notes,
    '',
  ].join('\n');
}
