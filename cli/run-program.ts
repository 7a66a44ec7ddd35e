import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Run } from './command.ts';
import { settingsOf } from './read-command-line.ts';

const forwardedSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Runs a program of the installation with our environment, terminal and signals. @returns its exit code */
export function programAt(program: string): Run {
  return ({ command, values, terminal }) => {
    const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path], {
      env: { ...terminal.env, ...settingsOf(command, values) },
      stdio: 'inherit',
    });
    for (const signal of forwardedSignals) process.on(signal, () => child.kill(signal));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  };
}
