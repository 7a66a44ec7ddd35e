import type { NewShareLink, ShareLink } from '@platen/contract/share-links';

/** A link as the form edits it; empty fields are absent. */
export interface LinkDraft {
  name: string;
  shows: string;
  expiresAt: string | undefined;
  maxUses: number | undefined;
  /** Undefined keeps the password; empty removes it. */
  password: string | undefined;
  allowedOrigins: readonly string[];
}

export const draftOf = (link: ShareLink | undefined): LinkDraft => ({
  name: link?.name ?? '',
  shows: link?.shows ?? 'current',
  expiresAt: link?.expiresAt,
  maxUses: link?.maxUses,
  password: link === undefined ? '' : undefined,
  allowedOrigins: link?.allowedOrigins ?? [],
});

/** The request body; null removes a field. */
export function bodyOf(draft: LinkDraft): NewShareLink {
  const { name, shows, expiresAt, maxUses, password, allowedOrigins } = draft;
  return {
    name: name.trim(),
    shows,
    allowedOrigins: [...allowedOrigins],
    expiresAt: expiresAt ?? null,
    maxUses: maxUses ?? null,
    ...(password !== undefined && { password: password === '' ? null : password }),
  };
}
