import type { Terminal } from './terminal.ts';

export interface Option {
  /** Placeholder in the help; absent: a flag, which takes no value. */
  readonly value?: string;
  /** Environment variable that it sets, or that provides it. */
  readonly setting?: string;
  readonly help: string;
  /** Minimum of an integer option. */
  readonly min?: number;
}

export interface Argument {
  readonly name: string;
  readonly help: string;
  /** One or more. */
  readonly isRepeated?: boolean;
}

/** What the user has typed after the name of the command. */
export interface CommandLine {
  readonly args: readonly string[];
  /** Flags have the value `true`. */
  readonly values: ReadonlyMap<string, string>;
}

export interface Invocation extends CommandLine {
  readonly command: Command;
  readonly terminal: Terminal;
  /** An option, from the command line or else from its environment variable. */
  readonly option: (name: string) => string | undefined;
  readonly flag: (name: string) => boolean;
}

/** @returns the exit code */
export type Run = (invocation: Invocation) => Promise<number>;

export interface Command {
  readonly summary: string;
  readonly args?: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
  /** Options that must be given, here or as environment variables. */
  readonly required: readonly string[];
  /** Options that exclude each other. */
  readonly exclusive: readonly string[];
  readonly notes: string;
  /** Its code is loaded only when it runs. */
  readonly load: () => Promise<Run>;
}
