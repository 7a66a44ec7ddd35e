import { isKnownEncoding } from '../text/open-decoder.ts';

/** Language driver ids of dBase and FoxPro, with the code pages they stand for. */
const languages: Readonly<Record<number, string>> = {
  0x01: 'cp437',
  0x02: 'cp850',
  0x03: 'windows-1252',
  0x04: 'macintosh',
  0x09: 'cp437',
  0x0a: 'cp850',
  0x0b: 'cp437',
  0x0d: 'cp437',
  0x0e: 'cp850',
  0x0f: 'cp437',
  0x10: 'cp850',
  0x11: 'cp437',
  0x12: 'cp850',
  0x13: 'shift_jis',
  0x14: 'cp850',
  0x15: 'cp437',
  0x16: 'cp850',
  0x17: 'ibm866',
  0x18: 'cp437',
  0x19: 'cp437',
  0x1a: 'cp850',
  0x1b: 'cp437',
  0x1d: 'cp850',
  0x1f: 'cp852',
  0x22: 'cp852',
  0x23: 'cp852',
  0x25: 'cp850',
  0x26: 'ibm866',
  0x37: 'cp850',
  0x40: 'cp852',
  0x4d: 'gbk',
  0x4e: 'euc-kr',
  0x4f: 'big5',
  0x50: 'windows-874',
  0x57: 'windows-1252',
  0x58: 'windows-1252',
  0x59: 'windows-1252',
  0x64: 'cp852',
  0x65: 'ibm866',
  0x66: 'ibm866',
  0x78: 'big5',
  0x79: 'euc-kr',
  0x7a: 'gbk',
  0x7b: 'shift_jis',
  0x7c: 'windows-874',
  0x7d: 'windows-1255',
  0x7e: 'windows-1256',
  0x87: 'cp852',
  0x96: 'x-mac-cyrillic',
  0xc8: 'windows-1250',
  0xc9: 'windows-1251',
  0xca: 'windows-1254',
  0xcb: 'windows-1253',
  0xcc: 'windows-1257',
};

const codePageLabels: Readonly<Record<string, string>> = {
  65001: 'utf-8',
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  20866: 'koi8-r',
};

/** The encoding that a .cpg names, in one of the many ways seen in such files; undefined if it says nothing known. */
export function encodingOfCpg(text: string): string | undefined {
  const name = text.replaceAll('\0', '').replace('\ufeff', '').trim().toLowerCase();
  const language = /^ldid\/(\d+)$/.exec(name)?.[1];
  if (language !== undefined) return languages[Number(language)];
  const part = /8859[-_ ]?(\d{1,2})$/.exec(name)?.[1];
  const page = /^(?:ansi|oem|cp|ibm|windows|ms)?[-_ ]?(\d{3,5})$/.exec(name)?.[1];
  const labels =
    part !== undefined
      ? [`iso-8859-${part}`]
      : page !== undefined
        ? [codePageLabels[page] ?? `windows-${page}`, `cp${page}`]
        : [name.replace(/[ _]/g, '-')];
  return labels.find(isKnownEncoding);
}

/** The encoding that the header's language driver id stands for; undefined if it says nothing known. */
export function encodingOfLanguage(id: number): string | undefined {
  return languages[id];
}
