import { commands, type Command } from './commands.ts';

export function generalHelp(): string {
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  platen ${name.padEnd(10)}${summary}`,
  );
  return [
    'Platen: publishing for geospatial data and maps',
    '',
    ...lines,
    `  platen ${'help'.padEnd(10)}Show this, or more of one command: platen help runner`,
    `  platen ${'version'.padEnd(10)}Tell the version`,
    '',
  ].join('\n');
}

export function helpOf(name: string, { summary, options, needs, notes }: Command): string {
  const rows = Object.entries(options).map(
    ([option, { value, setting, help }]) => [`  --${option} <${value}>`, setting, help] as const,
  );
  const widest = (column: 0 | 1) => Math.max(0, ...rows.map((row) => row[column].length));
  const lines = rows.map(
    ([option, setting, help]) => `${option.padEnd(widest(0) + 2)}${setting.padEnd(widest(1) + 2)}${help}`,
  );
  const needed = needs.map((option) => ` --${option} <${options[option]!.value}>`).join('');
  return [
    `platen ${name}${needed}${rows.length > needs.length ? ' [options]' : ''}`,
    summary,
    '',
    ...(lines.length > 0 ? [...lines, ''] : []),
    notes,
    '',
  ].join('\n');
}
