import { networkInterfaces } from 'node:os';

/** The host of tests. */
export interface TestHost {
  read(length: number): Promise<Uint8Array>;
}

/** A task for tests, which does what its input names. */
export async function parse(input: string, host: TestHost): Promise<unknown> {
  switch (input) {
    case 'read':
      return (await host.read(3)).length;
    case 'rights':
      return { environment: Object.keys(process.env), rights: rightsOf() };
    case 'user':
      return { user: process.getuid!(), interfaces: Object.keys(networkInterfaces()).length };
    case 'endless':
      for (;;);
    case 'memory':
      return new Set(Array.from({ length: 50_000_000 }, (_, i) => ({ i })));
    case 'exit':
      return process.exit(3);
    default:
      throw new TypeError(`There is no such test: ${input}`);
  }
}

function rightsOf(): string[] {
  const { permission } = process;
  const folders = ['/etc', '/tmp', '/'].filter((folder) => permission.has('fs.read', folder));
  return [...['net', 'child', 'worker', 'addon', 'fs.write'].filter((it) => permission.has(it)), ...folders];
}
