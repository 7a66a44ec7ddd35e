/** Common encodings of text files; any other name can be typed. */
export const encodings: readonly string[] = [
  'utf-8',
  'windows-1252',
  'iso-8859-1',
  'iso-8859-15',
  'utf-16le',
  'windows-1250',
  'windows-1251',
  'ibm850',
];
