import { bringDraft, type Carrying } from './carry.ts';
import type { Sending } from './compare.ts';
import { eachOf } from './each-of.ts';
import { requireHeld } from './require-held.ts';

interface Entering extends Carrying {
  readonly atOnce: number;
  readonly note: (sending: Sending, size: number) => void;
}

/** All of them are there before the first is switched to, so that nobody finds one new and another old for long. */
export async function bringEntries(
  entries: readonly Sending[],
  { atOnce, note, ...carrying }: Entering,
): Promise<void> {
  const { signal } = carrying;
  const drafts = new Map<Sending, Awaited<ReturnType<typeof bringDraft>>>();
  try {
    await eachOf(entries, { atOnce, signal }, async (sending, either) => {
      drafts.set(sending, await bringDraft(sending, { ...carrying, signal: either }));
    });
    await requireHeld(carrying);
    for (const sending of entries) {
      const { draft, size } = drafts.get(sending)!;
      await draft.switch();
      drafts.delete(sending);
      note(sending, size);
    }
  } finally {
    for (const { draft } of drafts.values()) await draft.drop().catch(() => {}); // `tidy` of the next run finds it
  }
}
