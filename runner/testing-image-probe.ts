import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ChildMessage, StartMessage } from './messages.ts';
import { findPossible } from './testing-tries.ts';

/** Stands where a job would, without the codec of processing/, and tells what native code did for it. For tests. */

type Call = (options: unknown, callback: (error: Error | null, result: unknown) => void) => void;

interface Native {
  readonly metadata: Call;
  readonly stats: Call;
  readonly _maxColourDistance: (one: string, other: string) => number;
}

const picture = await sharp({ create: { width: 8, height: 8, channels: 4, background: 'red' } })
  .png()
  .toBuffer();
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
const { cache } = createRequire(import.meta.url);
const addon = Object.keys(cache).find((file) => file.endsWith('.node'))!;
const native = cache[addon]!.exports as Native;

interface ProbeOptions {
  readonly secretPicture: string;
  readonly otherAddon: string;
  /** What is read for a check is read before native code reads it. */
  readonly isGuarded: boolean;
}

/** What sharp passes to native code, but for a file. */
function inputFor(file: string): Record<string, unknown> {
  const { options } = sharp(picture) as unknown as { options: { input: Record<string, unknown> } };
  const { buffer: _buffer, ...input } = options.input;
  return { ...input, file };
}

const read = (input: unknown, { metadata }: Native = native) =>
  new Promise((resolve, reject) => {
    metadata({ input, debuglog() {} }, (error, result) => (error ? reject(error) : resolve(result)));
  });

/** Runs with something of the language replaced, which code before this may have kept. */
async function withReplaced(
  owner: object,
  change: Readonly<Record<string, unknown>>,
  run: () => unknown,
): Promise<void> {
  const before = Object.keys(change).map(
    (key) => [key, Object.getOwnPropertyDescriptor(owner, key)] as const,
  );
  for (const [key, value] of Object.entries(change))
    Object.defineProperty(owner, key, { value, configurable: true, writable: true });
  try {
    await run();
  } finally {
    for (const [key, descriptor] of before) {
      if (descriptor) Object.defineProperty(owner, key, descriptor);
      else delete (owner as Record<string, unknown>)[key];
    }
  }
}

process.once('message', (message) => {
  const { options, outputFolder } = message as StartMessage;
  const { secretPicture, otherAddon, isGuarded } = options as unknown as ProbeOptions;
  const { file: _file, ...empty } = inputFor('');
  void probe({
    shrinks: () => sharp(picture).resize(1).webp().toBuffer(),
    measures: () => sharp(picture).metadata(),
    saves: () => sharp(picture).toFile(join(outputFolder, 'a.png')),
    readsByPath: () => sharp(secretPicture).toBuffer(),
    mixesByPath: () => sharp(picture).boolean(secretPicture, 'and').toBuffer(),
    joinsByPath: () => sharp(picture).joinChannel(secretPicture).toBuffer(),
    overlaysByPath: () =>
      sharp(picture)
        .composite([{ input: secretPicture }])
        .toBuffer(),
    comparesByPath: () => native._maxColourDistance(secretPicture, secretPicture),
    readsNatively: () => read(inputFor(secretPicture)),
    readsAsFunction: () => read(Object.assign(() => {}, inputFor(secretPicture))),
    readsAsView: () => read(Object.assign(new Uint8Array(1), inputFor(secretPicture))),
    readsByGetter: () => {
      let reads = 0;
      const get = () => (isGuarded && reads++ === 0 ? '' : secretPicture);
      return read(Object.defineProperty({ ...empty }, 'file', { enumerable: true, get }));
    },
    readsByPrototype: () => withReplaced(Object.prototype, { file: secretPicture }, () => read({ ...empty })),
    readsByPrimitive: () => withReplaced(String.prototype, inputFor(secretPicture), () => read('a')),
    readsUncheckedOptions: () =>
      withReplaced(
        Object,
        { entries: () => [], fromEntries: () => ({ input: inputFor(secretPicture), debuglog() {} }) },
        () => read(inputFor(secretPicture)),
      ),
    readsUncheckedLists: () =>
      withReplaced(Array.prototype, { some: () => false, includes: () => false }, () =>
        read(inputFor(secretPicture)),
      ),
    readsUncheckedNames: () =>
      withReplaced(Set.prototype, { has: () => false }, () => read(inputFor(secretPicture))),
    readsByOwnExports: () => {
      const exports = {};
      process.dlopen({ exports }, addon);
      return read(inputFor(secretPicture), exports as Native);
    },
    drawsVectors: () => sharp(svg).png().toBuffer(),
    drawsUnblockedVectors: () => {
      sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
      return sharp(svg).png().toBuffer();
    },
    loadsOtherAddon: () => process.dlopen({ exports: {} }, otherAddon),
  });
});
send({ type: 'ready' });

async function probe(tries: Record<string, () => unknown>): Promise<void> {
  const able = await findPossible(tries);
  send({ type: 'result', result: { report: { able, tried: Object.keys(tries) } }, warnings: [] });
}

function send(message: ChildMessage): void {
  process.send!(message);
}
