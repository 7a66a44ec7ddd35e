/** The clocks of a time zone. Readings are given as the milliseconds of the same reading in UTC. */
export interface Zone {
  /** The offset of the clocks from UTC. */
  offsetMs(atMs: number): number;
  /** The next change of the offset after an instant; Infinity for never. */
  changeAfter(atMs: number): number;
  /** The last change of the offset at or before an instant; -Infinity for never. */
  changeUntil(atMs: number): number;
}

const utc: Zone = { offsetMs: () => 0, changeAfter: () => Infinity, changeUntil: () => -Infinity };

export function zoneOf(name: string): Zone {
  if (/^(etc\/)?utc$/i.test(name)) return utc;
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name);
  return {
    offsetMs: (ms) => at(ms).offsetNanoseconds / 1e6,
    changeAfter: (ms) => at(ms).getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    // `previous` excludes the instant itself
    changeUntil: (ms) => at(ms + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
  };
}

/** Only named zones: an offset such as +02:00 is not a time zone. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zoneOf(name).offsetMs(0);
    return true;
  } catch {
    return false;
  }
}
