/** The clocks of a place. A reading of them is written as the milliseconds that it would be in UTC. */
export interface Zone {
  /** How far the clocks are ahead of UTC. */
  offsetMs(atMs: number): number;
  /** When they are put forward or back next after an instant; Infinity for never again. */
  changeAfter(atMs: number): number;
  /** When they were last put forward or back, at an instant or before it; -Infinity for never. */
  changeUntil(atMs: number): number;
}

const utc: Zone = { offsetMs: () => 0, changeAfter: () => Infinity, changeUntil: () => -Infinity };

export function zoneOf(name: string): Zone {
  if (/^(etc\/)?utc$/i.test(name)) return utc;
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name);
  return {
    offsetMs: (ms) => at(ms).offsetNanoseconds / 1e6,
    changeAfter: (ms) => at(ms).getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    // that before the next millisecond
    changeUntil: (ms) => at(ms + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
  };
}

/** Only names of places: an offset such as +02:00 is no time zone. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zoneOf(name).offsetMs(0);
    return true;
  } catch {
    return false;
  }
}
