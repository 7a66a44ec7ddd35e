import { bringDraft, type Carrying, type Drafted } from './carry.ts';
import type { Sending } from './compare.ts';
import { eachOf } from './each-of.ts';
import { requireHeld } from './require-held.ts';

interface Together extends Carrying {
  readonly atOnce: number;
  readonly note: (sending: Sending, size: number) => void;
}

/**
 * All of them are there before the first is switched to, so that nobody finds one new and another old for long; what others
 * lead to comes before the entries.
 */
export async function bringTogether(
  { replacing, entries }: { replacing: readonly Sending[]; entries: readonly Sending[] },
  { atOnce, note, ...carrying }: Together,
): Promise<void> {
  const { signal } = carrying;
  const drafts = new Map<Sending, Drafted>();
  const switchTo = async (sending: Sending) => {
    const { draft, size } = drafts.get(sending)!;
    await draft.switch();
    drafts.delete(sending);
    note(sending, size);
  };
  try {
    await eachOf([...replacing, ...entries], { atOnce, signal }, async (sending, either) => {
      drafts.set(sending, await bringDraft(sending, { ...carrying, signal: either }));
    });
    await requireHeld(carrying);
    await eachOf(replacing, { atOnce, signal }, switchTo);
    for (const sending of entries) await switchTo(sending);
  } finally {
    await dropAll(drafts.values()).catch(() => {}); // `tidy` of the next run finds what is left
  }
}

/** Where one of them cannot be removed any more, the others cannot either. */
async function dropAll(drafts: Iterable<Drafted>): Promise<void> {
  for (const { draft } of drafts) await draft.drop();
}
