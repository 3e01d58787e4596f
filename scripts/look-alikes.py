#!/usr/bin/env python3
"""Writes server/names/look-alikes.ts from the confusables of Unicode TS 39 that ICU carries.

Needs ICU for Python (Debian: python3-icu). To be run again when a newer ICU is wanted:
    python3 scripts/look-alikes.py > server/names/look-alikes.ts
"""
import unicodedata

import icu

checker = icu.SpoofChecker()
prototypes: dict[str, list[int]] = {}
for code_point in range(0x80, 0x110000):
    if 0xD800 <= code_point < 0xE000:
        continue
    character = chr(code_point)
    # Names are compared in this form; what cannot be in it needs no row.
    if unicodedata.normalize("NFKC", character.casefold()) != character:
        continue
    if unicodedata.category(character)[0] == "C":
        continue
    if unicodedata.normalize("NFD", character) != character:
        continue
    skeleton = checker.getSkeleton(0, character)
    if skeleton != character:
        prototypes.setdefault(skeleton, []).append(code_point)
for character in map(chr, range(0x21, 0x7F)):
    skeleton = checker.getSkeleton(0, character)
    if skeleton != character and character == character.casefold():
        prototypes.setdefault(skeleton, []).append(ord(character))


def hexadecimal(code_points) -> str:
    return " ".join(f"{code_point:x}" for code_point in code_points)


print(f"""/**
 * Which characters look like which: `prototype:character,character…`, code points in hexadecimal. The single-character
 * rows of Unicode TS 39 for characters that a name's key may hold, Unicode {icu.UNICODE_VERSION}. Made by scripts/look-alikes.py.
 */
export const LOOK_ALIKES: readonly string[] = [""")
for skeleton, code_points in sorted(prototypes.items()):
    print(f"  '{hexadecimal(map(ord, skeleton))}:{hexadecimal(code_points).replace(' ', ',')}',")
print("];")
