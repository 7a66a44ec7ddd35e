/** A word that is no longer used, and the word to use instead. */
export type GivenUpWord = readonly [word: string, instead: string];

/** Exact names of identifiers. */
export const givenUpNames: readonly GivenUpWord[] = [['FailedForTheMoment', 'TransientError']];

/** Words inside identifiers: `mend` forbids `mend` and `mendAreas`, but not `unmended`, which is another word. */
export const givenUpParts: readonly GivenUpWord[] = [
  ['somebody', 'user'],
  ['tells', 'reports'],
  ['whoever', 'user'],
];

/** Words and phrases of English sentences that people read. */
export const givenUpPhrases: readonly GivenUpWord[] = [
  ['anew', 'again'],
  ['as many as', 'the limit by its name'],
  ['everybody', 'everyone'],
  ['for the moment', 'temporarily, temporary error'],
  ['go on', 'continue, resume'],
  ['goes on', 'continues, resumes'],
  ['going on', 'running'],
  ['has asked for the end', 'cancelled'],
  ['heard of', 'seen'],
  ['is no valid', 'is not valid'],
  ['is odd', 'is questionable, problems found'],
  ['is there', 'is online, exists, uploaded'],
  ['mend', 'repair, correct'],
  ['mended', 'repaired'],
  ['mends', 'solves, repairs'],
  ['set aside', 'rejected, reserved'],
  ['somebody', 'someone'],
  ['so many', 'a number'],
  ['told', 'reported, returned, shown'],
];

/** Words and phrases of German sentences that people read. */
export const givenUpGermanPhrases: readonly GivenUpWord[] = [
  ['Fassung', 'Version'],
  ['Fassungen', 'Versionen'],
  ['Kartenprogramm', 'Kartenviewer'],
  ['Kartenprogramms', 'Kartenviewers'],
  ['Kennung', 'ID'],
  ['Kennzeichen', 'Label'],
  ['Zeitgrenze', 'Zeitlimit'],
  ['Zustand', 'Status'],
  ['Zustände', 'Status'],
];
