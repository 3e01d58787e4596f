/** The people of the world. */

/** The account that the demo suggests for signing in. */
export const ME = 'Maya Lindqvist';

const CHINESE = ['林小雨', '陈昊', '王思远', '李沐', '张悦', '周子涵'];

const NAMES: readonly string[] = [
  ME,
  'Jonas Weber',
  'Ines Moreau',
  'Aiko Tanaka',
  'Noor Haddad',
  'Sam Okafor',
  'Tomás Ferreira',
  '林小雨',
  '陈昊',
  'Priya Raman',
  'Elif Kaya',
  'Mateusz Nowak',
  '王思远',
  'Freya Holm',
  'Kwame Mensah',
  'Lucía Romero',
  'Daniel Cohen',
  '李沐',
  'Oksana Bondar',
  'Ravi Menon',
  'Hannah Fischer',
  'Ngozi Eze',
  '张悦',
  'Pieter de Vries',
  'Sofia Rossi',
  'Yusuf Demir',
  'Emma Lund',
  'Marek Dvořák',
  'Leila Amiri',
  'Kenji Mori',
  '周子涵',
  'Bea Novak',
  'Olu Adeyemi',
  'Clara Jensen',
  'Nikos Papadakis',
  'Anika Sharma',
  'Gustav Berg',
  'Mei Santos',
  'Rafael Costa',
  'Zoë Martin',
];

/** `count` people, by name; `ME` is always among them. */
export function people(count: number): readonly string[] {
  const more = Array.from({ length: Math.max(0, count - NAMES.length) }, (_, index) => {
    const name = NAMES[index % NAMES.length] ?? ME;
    return `${name} ${2 + Math.floor(index / NAMES.length)}`;
  });
  return [...NAMES, ...more].slice(0, count);
}

export function speaksChinese(name: string): boolean {
  return CHINESE.some((known) => name.startsWith(known));
}

/** "Tomás" for "Tomás Ferreira"; Chinese names have no space and stay whole. */
export function firstName(name: string): string {
  return name.split(' ')[0] ?? name;
}
