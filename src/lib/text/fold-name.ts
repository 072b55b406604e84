const ascii = /^[\u0000-\u007f]*$/u

/**
 * `name` as file systems that ignore letter case and Unicode form compare it: equal results mean that
 * such a system cannot hold both names in one directory.
 */
export function foldName(name: string): string {
  if (ascii.test(name)) return name.toLowerCase()
  return Array.from(name.normalize('NFC'), foldCharacter).join('').normalize('NFC')
}

/** Through upper case first, so that letters with two small forms (σ and ς, s and ſ) are one. */
function foldCharacter(character: string): string {
  const upper = character.toUpperCase()
  return (upper.length === character.length ? upper : character).toLowerCase()
}
