/** White space of XML, production [3]. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9;
