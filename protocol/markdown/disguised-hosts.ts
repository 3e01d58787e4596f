/**
 * Hosts that look like others. As in the address bar of a browser, such a host is shown in ASCII (`xn--80ak6aa92e.com`).
 * A part of a host is a disguise when it
 *
 * - mixes scripts, other than Latin with Chinese, Japanese or Korean (UTS #39, "highly restrictive"),
 * - is written in Cyrillic, Greek or Armenian letters that all look like Latin ones, unless the host ends in that script,
 * - has a letter that only linguists use, such as `ɡ`.
 */
import { parseAddress } from './url.ts';

/** Scripts whose letters look like those of another. All others count as one. */
const SCRIPTS = [
  /\p{sc=Latn}/u,
  /\p{sc=Cyrl}/u,
  /\p{sc=Grek}/u,
  /\p{sc=Armn}/u,
  /(?![\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}])\p{L}/u,
];
const LATIN_AND_EAST_ASIAN =
  /^[\p{sc=Latn}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Zyyy}\p{sc=Zinh}]*$/u;
const PHONETIC = /[\u0131\u0237\u0250-\u02AF\u1D00-\u1DBF\uA720-\uA7FF\uAB30-\uAB6F]/;
/** By script, the letters that look like those of ASCII. */
const LOOK_LATIN = [
  { script: /\p{sc=Cyrl}/u, alike: /^[-\daаысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡкмнтвз]+$/ },
  { script: /\p{sc=Grek}/u, alike: /^[-\dαικνρυωηοτγχβε]+$/ },
  { script: /\p{sc=Armn}/u, alike: /^[-\dագզէլհյոսւօքցՙ]+$/ },
];

/** The host of an address, as it was typed. */
const HOST = /^(?:https?:\/\/|mailto:[^@]*@)?([^/?#:]+)/i;

/** The address, with a host that looks like another one in ASCII. */
export function withHonestHost(address: string): string {
  const [all = '', host = ''] = HOST.exec(address) ?? [];
  if (!isDisguised(host)) return address;
  const honest = parseAddress(`https://${host}`)?.hostname ?? host;
  return all.slice(0, all.length - host.length) + honest + address.slice(all.length);
}

/** Whether a host, as it was typed, looks like another one. */
export function isDisguised(host: string): boolean {
  if (!/[^!-~]/.test(host)) return false;
  const parts = host.normalize('NFKC').toLowerCase().split('.');
  return parts.some((part) => isDisguise(part, parts.at(-1) ?? ''));
}

function isDisguise(part: string, last: string): boolean {
  if (PHONETIC.test(part)) return true;
  const look = LOOK_LATIN.find(({ alike }) => alike.test(part));
  if (look?.script.test(part)) return !look.script.test(last);
  return SCRIPTS.filter((script) => script.test(part)).length > 1 && !LATIN_AND_EAST_ASIAN.test(part);
}
